/** Counts the disk commits of an order. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import {
  prepareSqlite,
  sqliteEngine,
  type SqliteConnections,
} from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import type { SqliteDatabase } from '../../../../relay/ledger/sqlite/statements.js';
import { openSqlite } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import { createDiskFile } from '../../../proofs/simulation/machine/disk-file.js';
import { manualClock } from '../../support/manual-clock.js';
import { createWorld, openIntent, type World } from '../../support/world.js';

const SHOP_EVENTS = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
const pay = (world: World): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, option: 'qr', attempt: crypto.randomUUID() });

type Counts = { statements: number; commits: number };

/** Counts a connection's statements and commits; a write outside a transaction is a commit. */
function counted(database: SqliteDatabase, counts: Counts): SqliteDatabase {
  let inTransaction = false;
  const note = (sql: string): void => {
    counts.statements++;
    const isWrite = /^(insert|update|delete)/.test(sql);
    if (sql === 'commit' || (isWrite && !inTransaction)) counts.commits++;
    if (/^(begin|commit|rollback$)/.test(sql)) inTransaction = sql.startsWith('begin');
  };
  return {
    prepare: (sql) => {
      const { all, run, ...columns } = bound(database.prepare(sql));
      return {
        ...columns,
        all: (...values) => (note(sql), all(...values)),
        run: (...values) => (note(sql), run(...values)),
      };
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

const bound = (statement: ReturnType<SqliteDatabase['prepare']>): typeof statement => ({
  all: (...values) => statement.all(...values),
  run: (...values) => statement.run(...values),
  columns: () => statement.columns(),
  setReturnArrays: (returnArrays) => statement.setReturnArrays(returnArrays),
});

describe('an order', () => {
  const clock = manualClock();
  const costs = { durable: { statements: 0, commits: 0 }, other: { statements: 0, commits: 0 } };
  const reset = (): void => {
    for (const each of Object.values(costs)) Object.assign(each, { statements: 0, commits: 0 });
  };
  const openWorld = async (): Promise<World> => {
    const disk = createDiskFile();
    after(() => disk.remove());
    const open = (counts: Counts): SqliteDatabase =>
      counted(new DatabaseSync(disk.address(), { timeout: 0 }), counts);
    const connections: SqliteConnections = {
      writer: open(costs.durable),
      reader: open(costs.other),
      relaxed: open(costs.other),
    };
    await prepareSqlite(connections);
    const ledger = await openSqlite(sqliteEngine(connections));
    const accept = async (): Promise<Response> => new Response();
    const config = { shop_events: SHOP_EVENTS };
    return createWorld({ ledger, shopFetch: accept, config, clock });
  };

  it('makes two durable commits for an order, and none for the delivery of its event', async () => {
    const world = await openWorld();
    await pay(world);
    // the first tick also writes rows that most ticks do not write
    await world.relay.tick();
    reset();
    await pay(world);
    assert.equal(costs.durable.commits, 2);
    assert.deepEqual(
      { durable: costs.durable.statements, other: costs.other.statements },
      { durable: 12, other: 1 },
    );
    reset();
    await world.relay.tick();
    assert.equal((await world.ledger.outbox()).waiting, 0);
    assert.equal(costs.durable.commits, 0);
  });

  it('makes three durable commits in all until the customer is told of the payment', async () => {
    const world = await openWorld();
    const sell = async (): Promise<void> => {
      const { order } = (await pay(world)).body;
      const { order_key, request_id = '' } = order ?? {};
      await clock.advance(1500);
      // the sandbox sends the webhook, and the relay asks it for the status
      world.sandbox.orders.act(world.sandbox.orders.byRequest(request_id)!, 'confirm');
      await clock.advance(1500);
      const query = { request_id, order_key, known_status: order?.status, wait: 5 };
      const told = await world.ask('/v1/query', query);
      assert.equal(told.body.order?.outcome, 'succeeded');
      await world.relay.tick();
      assert.equal((await world.ledger.outbox()).waiting, 0);
    };
    await sell();
    reset();
    await sell();
    assert.equal(costs.durable.commits, 3);
  });

  it('commits several orders together when they come at the same time', async () => {
    const world = await openWorld();
    await pay(world);
    reset();
    const answers = await Promise.all(Array.from({ length: 16 }, () => pay(world)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 16);
    assert.ok(costs.durable.commits < 16, `${costs.durable.commits} commits`);
  });

  it('executes one statement when a long poll is answered at once', async () => {
    const world = await openWorld();
    const { order } = (await pay(world)).body;
    const query = { request_id: order?.request_id, order_key: order?.order_key };
    reset();
    await world.ask('/v1/query', { ...query, known_status: 1, wait: 5 });
    assert.deepEqual(costs.durable, { statements: 0, commits: 0 });
    assert.deepEqual(costs.other, { statements: 1, commits: 0 });
  });

  it('reads the intent twice for a query, and not again for its page', async () => {
    const world = await openWorld();
    const { order } = (await pay(world)).body;
    const query = { request_id: order?.request_id, order_key: order?.order_key };
    await clock.advance(1500);
    reset();
    await world.ask('/v1/query', query);
    // one read of the intent for the page, and the claim of the query, which reads it again
    assert.deepEqual(costs.other, { statements: 4, commits: 1 });
    assert.deepEqual(costs.durable, { statements: 4, commits: 1 });
  });

  it('makes no commit at a tick when nothing is due', async () => {
    const world = await openWorld();
    await pay(world);
    await world.relay.tick();
    await clock.advance(500);
    reset();
    await world.relay.tick();
    assert.equal(costs.durable.commits + costs.other.commits, 0);
  });
});
