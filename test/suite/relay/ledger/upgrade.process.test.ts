/** Opens ledgers of other generations: one of the released relay, and one of a newer relay. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { GENERATION, type Ledger } from '../../../../relay/ledger/ledger.js';
import { GenerationError } from '../../../../relay/ledger/ledger-errors.js';
import type { Engine } from '../../../../relay/ledger/sql/engine.js';
import { postgresEngine } from '../../../../relay/ledger/sql/postgres-engine.js';
import { sqliteEngine } from '../../../../relay/ledger/sql/sqlite-dialect.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { bearer, createWorld, openIntent, type World } from '../../support/world.js';
import {
  EVENT,
  fillReleasedLedger,
  piano,
  PIANO,
  REMEMBERED_ADDRESS,
  SHIRTS,
  shirts,
  tree,
  TREE,
  TREE_ORDER_KEY,
} from './released-ledger.js';

const folder = mkdtempSync(join(tmpdir(), 'upgrade-'));
after(() => rmSync(folder, { recursive: true }));
let running: Promise<Postgres> | undefined;
after(async () => (await running)?.stop());

/** Direct access to the database of a ledger, without a relay. */
type Raw = { db: Kysely<unknown>; engine: Engine; close(): Promise<void> };

const raw = (engine: Engine, end: () => void): Raw => {
  const db = new Kysely<unknown>({ dialect: engine.dialect });
  return { db, engine, close: () => db.destroy().then(end) };
};

function rawSqlite(name: string): Raw {
  const open = (): DatabaseSyncInstance => new DatabaseSync(name.slice('sqlite:'.length));
  const [writer, reader, relaxed] = [open(), open(), open()];
  return raw(sqliteEngine({ writer, reader, relaxed }), () => {
    reader.close();
    relaxed.close();
  });
}

const rawPostgres = (name: string): Raw =>
  raw(postgresEngine(new pg.Pool({ connectionString: name })), () => {});

/** Schema and rows of a ledger. */
async function dump({ close, db }: Raw): Promise<unknown> {
  const tables = await db.introspection.getTables();
  const rows: Record<string, unknown> = {};
  for (const { name: table } of tables)
    rows[table] = (await sql`select * from ${sql.table(table)}`.execute(db)).rows;
  await close();
  return JSON.parse(JSON.stringify({ tables, rows }));
}

let files = 0;
const engines = {
  sqlite: { raw: rawSqlite, empty: async () => `sqlite:${join(folder, `${files++}.db`)}` },
  postgres: {
    raw: rawPostgres,
    empty: async () => (await (running ??= startPostgres())).database(),
  },
};

type Delivered = { id: string; body: string };

function worldOn(ledger: Ledger): { world: World; delivered: Delivered[] } {
  const delivered: Delivered[] = [];
  const world = createWorld({
    ledger,
    config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
    shopFetch: async (_url, init) => {
      const id = new Headers(init.headers).get('webhook-id') ?? '';
      delivered.push({ id, body: String(init.body) });
      return new Response();
    },
  });
  // the service has the orders that the released relay placed
  for (const [request_id, amount] of [
    [TREE, '12.50'],
    [SHIRTS, '39.80'],
    [PIANO, '500.00'],
  ] as const)
    world.sandbox.orders.add('pay', { request_id, amount, currency: 'USD' }, () => ({}));
  return { world, delivered };
}

const codeOf = (body: Record<string, unknown>): string | undefined =>
  (body.error as { code?: string } | undefined)?.code;

for (const [name, engine] of Object.entries(engines)) {
  const released = async (): Promise<string> => {
    const ledger = await engine.empty();
    const opened = engine.raw(ledger);
    await fillReleasedLedger(opened.db, opened.engine);
    await opened.close();
    return ledger;
  };
  const upgraded = async (
    work: (world: World, delivered: Delivered[]) => Promise<void>,
  ): Promise<void> => {
    const ledger = await openLedger(await released());
    const { delivered, world } = worldOn(ledger);
    try {
      await work(world, delivered);
    } finally {
      await world.relay.close();
      await ledger.close();
    }
  };

  describe(`a released ledger on ${name}`, () => {
    it('finds the order of a stored attempt, and sends nothing', () =>
      upgraded(async (world) => {
        for (const [attempt, intent] of [
          [TREE, tree],
          [SHIRTS, shirts],
        ] as const) {
          const resumed = await world.ask('/v1/checkout', { ...intent, attempt });
          assert.equal(resumed.body.order?.request_id, attempt);
          const paid = await world.ask('/v1/pay', { ...intent, attempt, option: 'card' });
          assert.equal(paid.body.order?.request_id, attempt);
          assert.equal(paid.body.order?.intent_id, attempt);
        }
        const other = { ...tree, amount: '13', attempt: TREE, option: 'card' };
        assert.equal(codeOf((await world.ask('/v1/pay', other)).body), 'intent_conflict');
        assert.deepEqual(world.pays(), []);
      }));

    it('replaces a stored order when the page presents its old order_key', () =>
      upgraded(async (world) => {
        const named = { request_id: TREE, order_key: TREE_ORDER_KEY };
        assert.equal((await world.ask('/v1/query', named)).status, 200);
        const pay = { ...tree, attempt: TREE, option: 'qr', replaces: named };
        const { order } = (await world.ask('/v1/pay', pay)).body;
        assert.match(order?.request_id ?? '', /^[a-z2-7]{26}$/);
        assert.equal(order?.intent_id, TREE);
        const [sent] = world.pays();
        assert.equal(world.pays().length, 1);
        assert.equal(sent?.customer_ref_id, `web-${TREE}`);
        const first = await world.ledger.order(TREE);
        const second = await world.ledger.order(order?.request_id ?? '');
        assert.deepEqual([first?.ordinal, second?.ordinal], [1, 2]);
      }));

    it('shows a token’s order to its token, but not to an attempt that equals its jti', () =>
      upgraded(async (world) => {
        const token = await world.ask('/v1/order-tokens', { ...piano, jti: PIANO }, bearer);
        const { order_token } = token.body;
        const own = await world.ask('/v1/checkout', { order_token });
        assert.equal(own.body.order?.request_id, PIANO);
        const pay = { ...shirts, attempt: PIANO, option: 'card' };
        const { order } = (await world.ask('/v1/pay', pay)).body;
        assert.match(order?.intent_id ?? '', /^web\./);
        const query = { intent_id: PIANO, expect: { amount: '500', currency: 'USD' } };
        const reported = await world.ask('/v1/query', query, bearer);
        assert.equal(reported.body.order?.request_id, PIANO);
        assert.equal(reported.body.order?.amount, '500.00');
      }));

    it('derives the reason of a stored review, and keeps the review after a payment', () =>
      upgraded(async (world) => {
        assert.equal((await world.ledger.order(SHIRTS))?.review_reason, 'amount_mismatch');
        const row = world.sandbox.orders.byRequest(SHIRTS);
        assert.ok(row);
        world.sandbox.orders.setStatus(row, 20);
        const { body } = await world.ask('/v1/query', { intent_id: SHIRTS }, bearer);
        const { order } = body;
        assert.equal(order?.outcome, 'review');
        assert.equal(order.status, 20);
        assert.ok('review_reason' in order && order.review_reason === 'amount_mismatch');
        assert.ok('mode' in order && order.mode === 'catalogue');
      }));

    it('delivers a waiting event once and byte for byte', () =>
      upgraded(async (world, delivered) => {
        await world.relay.tick();
        const own = delivered.filter(({ id }) => id === EVENT.event_id);
        assert.deepEqual(own, [{ id: EVENT.event_id, body: EVENT.body }]);
        await world.relay.tick();
        assert.equal(delivered.filter(({ id }) => id === EVENT.event_id).length, 1);
      }));

    it('numbers the next event of an old intent 1, in the epoch of the ledger', () =>
      upgraded(async (world, delivered) => {
        const row = world.sandbox.orders.byRequest(TREE);
        assert.ok(row);
        world.sandbox.orders.setStatus(row, 20);
        const paid = await world.ask('/v1/query', { intent_id: TREE }, bearer);
        assert.equal(paid.body.order?.outcome, 'succeeded');
        await world.relay.tick();
        const event = delivered
          .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
          .find(({ type }) => type === 'order.succeeded');
        assert.equal(event?.data.sequence, 1);
        assert.equal(event?.data.epoch, await world.ledger.setting('epoch'));
        assert.equal(event?.data.intent_id, TREE);
      }));

    it('requests an address again when its network is unknown, and keeps the old row', async () => {
      const ledgerName = await released();
      const ledger = await openLedger(ledgerName);
      const { world } = worldOn(ledger);
      const customer = { currency: 'XRP', customer_ref_id: 'c1' };
      for (let times = 0; times < 2; times++)
        assert.equal((await world.ask('/v1/deposit-address', customer)).status, 200);
      const operations = world.sandbox.calls.map(({ operation }) => operation);
      assert.deepEqual(operations, ['deposit_address']);
      await world.relay.close();
      await ledger.close();
      const opened = engine.raw(ledgerName);
      const { rows } = await sql<{
        address: string;
      }>`select address from deposit_addresses`.execute(opened.db);
      assert.deepEqual(
        rows.map(({ address }) => address),
        [REMEMBERED_ADDRESS],
      );
      await opened.close();
    });

    it('copies an intent’s pay_currency to its order when the order is watched', async () => {
      const ledgerName = await released();
      const opened = engine.raw(ledgerName);
      await sql`update intents set pay_currency = 'THB' where intent_id <> ${SHIRTS}`.execute(
        opened.db,
      );
      await sql`update orders set next_check_at = null where intent_id = ${PIANO}`.execute(
        opened.db,
      );
      await opened.close();
      const ledger = await openLedger(ledgerName);
      const kept = await Promise.all([TREE, SHIRTS, PIANO].map((id) => ledger.order(id)));
      assert.deepEqual(
        kept.map((order) => order?.pay_currency),
        ['THB', null, null],
      );
      await ledger.close();
    });

    it('finds a released ledger consistent after its upgrade', () =>
      upgraded(async (world) => {
        assert.deepEqual(await world.ledger.verify(), []);
        assert.equal(await world.ledger.setting('generation'), String(GENERATION));
      }));
  });

  describe(`a ledger of the first generation on ${name} that a command opens`, () => {
    it('refuses to open an old ledger for a command that needs the present one', async () => {
      const ledger = await released();
      const before = await dump(engine.raw(ledger));
      await assert.rejects(
        openLedger(ledger, { schema: 'check' }),
        /has generation 1, and this version knows \d+: back it up/,
      );
      assert.deepEqual(await dump(engine.raw(ledger)), before);
    });

    it('changes nothing in an old ledger when it is opened for a backup', async () => {
      const ledger = await released();
      const before = await dump(engine.raw(ledger));
      const opened = await openLedger(ledger, { schema: 'leave' });
      const copy = join(folder, `${name}-first.backup`);
      if (name === 'sqlite') {
        await opened.backup(copy);
        assert.deepEqual(await dump(rawSqlite(`sqlite:${copy}`)), before);
      }
      await opened.close();
      assert.deepEqual(await dump(engine.raw(ledger)), before);
    });
  });

  describe(`a ledger of this generation on ${name}`, () => {
    it('opens a ledger of this generation for a command', async () => {
      const ledger = await engine.empty();
      await (await openLedger(ledger)).close();
      const opened = await openLedger(ledger, { schema: 'check' });
      assert.equal(await opened.setting('generation'), String(GENERATION));
      await opened.close();
    });
  });

  describe(`a ledger of a newer generation on ${name}`, () => {
    const newer = String(GENERATION + 1);
    it('neither opens nor changes a ledger of a newer generation', async () => {
      const name = await released();
      const first = await openLedger(name);
      await first.writeSetting('generation', newer);
      await first.close();
      const before = await dump(engine.raw(name));
      await assert.rejects(openLedger(name), GenerationError);
      assert.deepEqual(await dump(engine.raw(name)), before);
    });

    it('places no order when a newer relay upgraded the ledger, and /readyz says so', () =>
      upgraded(async (world) => {
        const ready = async (): Promise<{ status: number; body: Record<string, unknown> }> => {
          const request = new Request('https://shop.example/readyz');
          const response = await world.relay.fetch(request);
          return {
            status: response.status,
            body: (await response.json()) as Record<string, unknown>,
          };
        };
        assert.equal((await ready()).status, 200);
        await world.ledger.writeSetting('generation', newer);

        const attempt = crypto.randomUUID();
        const pay = { ...openIntent, attempt, option: 'card' };
        const refused = await world.ask('/v1/pay', pay);
        assert.equal(refused.status, 503);
        assert.equal(codeOf(refused.body), 'service_unavailable');
        const named = { request_id: TREE, order_key: TREE_ORDER_KEY };
        const replaced = { ...tree, attempt: TREE, option: 'card', replaces: named };
        assert.equal((await world.ask('/v1/pay', replaced)).status, 503);
        assert.deepEqual(world.pays(), []);
        assert.equal(await world.ledger.intentOf(attempt), null);

        const { body, status } = await ready();
        assert.equal(status, 503);
        assert.equal(body.ledger, 'newer_generation');
        // the existing orders can still be read
        assert.equal((await world.ask('/v1/query', named)).status, 200);
        await world.relay.tick();
        assert.equal((await ready()).body.status, 'stopping');
      }));
  });
}

describe('a database that holds other tables', () => {
  it('refuses to open it as a ledger, and names the cause', async () => {
    const name = await engines.sqlite.empty();
    const database = new DatabaseSync(name.slice('sqlite:'.length));
    database.exec('create table orders (id text)');
    database.close();
    await assert.rejects(openLedger(name), ({ cause, message }: Error) => {
      assert.match(message, /could not be brought up to date/);
      assert.match(String(cause), /orders/);
      return true;
    });
  });
});
