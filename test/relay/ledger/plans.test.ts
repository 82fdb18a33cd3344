/**
 * No statement of the running relay grows slow as the ledger grows: each is explained by the
 * database itself, on a filled ledger, and none may read a growing table from end to end.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import type { CompiledQuery, Dialect } from 'kysely';
import pg from 'pg';
import type { Ledger } from '../../../relay/ledger/ledger.js';
import type { IntentRow, OrderRow } from '../../../relay/ledger/rows.js';
import type { Engine } from '../../../relay/ledger/sql/engine.js';
import { postgresEngine } from '../../../relay/ledger/sql/postgres-engine.js';
import { sqlLedger } from '../../../relay/ledger/sql/sql-ledger.js';
import { prepareSqlite, sqliteEngine } from '../../../relay/ledger/sql/sqlite-dialect.js';
import { startPostgres, type Postgres } from '../../postgres.js';
import { fresh } from '../orders/fresh-order.js';
import { fill, filledRequestId, type RunSql } from './filling.js';

const ROWS = 5000;
const NOW = 1_800_000_000_000;

/**
 * Tables that grow with every order or customer. `settings` and `heartbeats` hold a few rows, and
 * reading them whole costs nothing.
 */
const GROWING = [
  'intents',
  'orders',
  'shop_events',
  'attempts',
  'resolutions',
  'deposit_addresses_by_network',
];
/**
 * Indexes that hold only what waits: an order that is watched, an event that is not delivered, an
 * intent that lost its order. Reading one from end to end takes longer as more work waits, and not
 * as the ledger grows.
 */
const OF_WAITING = ['shop_events_due', 'orders_due', 'orders_unsent', 'intents_without_order'];
/** Commands run them by hand, on a copy or at night: they read everything, and may. */
const NO_PART_OF_THE_RELAY = ['verify', 'backup', 'close'];

type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>;

/** The dialect, telling of each statement that it compiles. */
function observed(dialect: Dialect, see: (statement: Statement) => void): Dialect {
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => dialect.createDriver(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => {
      const compiler = dialect.createQueryCompiler();
      return {
        compileQuery: (...query) => {
          const compiled = compiler.compileQuery(...query);
          see(compiled);
          return compiled;
        },
      };
    },
  };
}

/** Opens the ledger, fills it, calls all that the running relay calls. @returns the statements */
async function statementsOf(engine: Engine, fillIt: () => Promise<void>): Promise<Statement[]> {
  const seen = new Map<string, Statement>();
  let watching = false;
  const see = (statement: Statement): void => {
    if (watching && !seen.has(statement.sql)) seen.set(statement.sql, statement);
  };
  const watched = (dialect: Dialect | null): Dialect | null => dialect && observed(dialect, see);
  const ledger = await sqlLedger({
    ...engine,
    dialect: observed(engine.dialect, see),
    reader: watched(engine.reader),
    relaxedDurability: watched(engine.relaxedDurability),
  });
  await fillIt();
  const called = new Set<string>();
  const noting = new Proxy(ledger, {
    get: (target, name: keyof Ledger) => {
      called.add(name);
      return target[name];
    },
  });
  watching = true;
  await callEverything(noting);
  watching = false;
  const missed = Object.keys(ledger).filter(
    (name) => !called.has(name) && !NO_PART_OF_THE_RELAY.includes(name),
  );
  assert.deepEqual(missed, [], 'methods whose statements nobody has seen');
  await ledger.close();
  return [...seen.values()];
}

const intent = (id: string, created_at = NOW): IntentRow => ({
  intent_id: id,
  mode: 'open',
  content: 'digest',
  amount: '12.50',
  currency: 'USD',
  product_name: 'A tree',
  customer_ref_id: 'c',
  pay_currency: null,
  remark: null,
  return_url: null,
  sku: null,
  quantity: null,
  created_at,
  current_request_id: null,
  paid_request_id: null,
  event_count: 0,
});
const order = (id: string, change: Partial<OrderRow> = {}): OrderRow => ({
  ...fresh,
  request_id: id,
  intent_id: id,
  created_at: NOW,
  next_check_at: NOW,
  ...change,
});

async function callEverything(ledger: Ledger): Promise<void> {
  await callOrders(ledger);
  await callFollowing(ledger);
  const address = {
    customer_ref_id: 'c',
    currency: 'BTC',
    network: '',
    address: 'a',
    tag: '',
    created_at: NOW,
  };
  await ledger.keepDepositAddress(address);
  await ledger.depositAddress('c', 'BTC', '');
  await ledger.keepSetting('a setting', 'one');
  await ledger.keepSetting('a setting', 'two');
  await ledger.writeSetting('a setting', 'three');
  await ledger.setting('a setting');
  await ledger.ping();
  await ledger.now();
  assert.equal(await ledger.purgeUnsent(NOW - 1, 50), 1);
  assert.equal(await ledger.purge(NOW - 80 * 86_400_000, 50), 50);
}

async function callOrders(ledger: Ledger): Promise<void> {
  const first = { intent: intent('a'), order: order('a'), after: null, attempt: 'attempt a' };
  const second = { ...first, order: order('b', { intent_id: 'a', ordinal: 2 }) };
  const old = { intent: intent('old', NOW - 2), order: order('old', { created_at: NOW - 2 }) };
  assert.equal((await ledger.claimOrder(first)).claimed, true);
  assert.equal((await ledger.claimOrder(second)).claimed, false);
  assert.equal((await ledger.claimOrder({ ...second, after: 'a' })).claimed, true);
  await ledger.claimOrder({ ...old, after: null });
  const unsent = { ...old.order, sending: 'unsent', next_check_at: null, version: 2 } as const;
  await ledger.replaceOrder(unsent);
  await ledger.intent('a');
  await ledger.intentOf('attempt a');
  await ledger.order(filledRequestId(ROWS));
  assert.equal((await ledger.ordersOf('a')).length, 2);
  await ledger.replaceOrder({ ...order('a'), version: 2 });
  const paid = { ...order('a'), sending: 'answered', outcome: 'succeeded', version: 3 } as const;
  const resolution = {
    request_id: 'a',
    resolved_as: 'succeeded',
    resolved_by: 'somebody',
    note: 'seen at the bank',
    review_reason: 'two_links',
    resolved_at: NOW,
  } as const;
  const written = await ledger.replaceOrder(
    paid,
    ({ intent_id }, { sequence }) => [
      {
        event_id: 'an event',
        intent_id,
        sequence,
        type: 'order.succeeded',
        body: '{}',
        created_at: NOW,
      },
    ],
    resolution,
  );
  assert.equal(written, true);
}

async function callFollowing(ledger: Ledger): Promise<void> {
  assert.equal((await ledger.takeEvents(NOW, NOW + 1, 20)).length, 1);
  await ledger.noteTry('an event', { nextTryAt: NOW });
  assert.equal((await ledger.outbox()).waiting, 1);
  await ledger.noteTry('an event', { deliveredAt: NOW });
  assert.notEqual((await ledger.takeDue(NOW + 1000, NOW + 2000, 20)).length, 0);
  await ledger.takeTurn(filledRequestId(ROWS), NOW, 500);
  const { cursor } = await ledger.changes(null);
  await ledger.replaceOrder(order('b', { intent_id: 'a', ordinal: 2, version: 2 }));
  assert.equal((await ledger.changes(cursor)).changed.length, 1);
  const beat = (await ledger.beat('one')).get('one') ?? 0;
  await ledger.forgetInstance('one', beat);
  await ledger.repairSchedules(NOW - 1000, 14_000, null);
}

const folder = mkdtempSync(join(tmpdir(), 'plans-'));
after(() => rmSync(folder, { recursive: true }));

/**
 * Whether a line of `explain query plan` reads a growing table from end to end. A range that is
 * open on one side may be as long as the table. It is read until the limit is full, so no other
 * condition may leave out rows of it.
 */
function isScan(line: string, sql: string): boolean {
  const [, how = '', table = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(line) ?? [];
  const index = / INDEX (\w+)/.exec(rest)?.[1] ?? '';
  if (!GROWING.includes(table) || OF_WAITING.includes(index)) return false;
  if (how === 'SCAN') return true;
  const isOpenRange = /\(\w+[<>]\?\)/.test(rest);
  return isOpenRange && / and /.test(sql);
}

type PostgresPlan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PostgresPlan[];
};

/** A whole index is as long as its table: without a condition its scan is a scan of the table. */
function scannedByPostgres(plan: PostgresPlan): string[] {
  const index = plan['Index Name'];
  const isWholeIndex =
    index !== undefined && plan['Index Cond'] === undefined && !OF_WAITING.includes(index);
  const isWholeTable =
    plan['Node Type'] === 'Seq Scan' && GROWING.includes(plan['Relation Name'] ?? '');
  return [
    ...(isWholeIndex || isWholeTable ? [`${plan['Node Type']} ${index ?? ''}`] : []),
    ...(plan.Plans ?? []).flatMap(scannedByPostgres),
  ];
}

describe('statements of the running relay', () => {
  it('read no growing table from end to end on SQLite', async () => {
    const file = join(folder, 'ledger.db');
    const open = () => new DatabaseSync(file, { timeout: 0 });
    const connections = { writer: open(), reader: open(), relaxed: open() };
    await prepareSqlite(connections);
    const run: RunSql = async (sql) =>
      connections.writer.prepare(sql).all() as Record<string, unknown>[];
    const statements = await statementsOf(sqliteEngine(connections), () =>
      fill(run, 'sqlite', { count: ROWS, now: NOW, dueFrom: NOW }),
    );
    const database = open();
    const found = statements.flatMap(({ sql }) =>
      (database.prepare(`explain query plan ${sql}`).all() as { detail: string }[])
        .map(({ detail }) => detail)
        .filter((line) => isScan(line, sql))
        .map((line) => `${line}: ${sql}`),
    );
    database.close();
    assert.deepEqual(found, []);
  });

  let running: Postgres | undefined;
  after(async () => running?.stop());

  it('read no growing table from end to end on PostgreSQL', async () => {
    running = await startPostgres();
    const connectionString = await running.database();
    const pool = new pg.Pool({
      connectionString,
      types: {
        getTypeParser: (oid: number) =>
          (oid === 20 ? Number : pg.types.getTypeParser(oid)) as (value: string) => unknown,
      },
    });
    const client = new pg.Client({ connectionString });
    await client.connect();
    const run: RunSql = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
    const statements = await statementsOf(postgresEngine(pool), () =>
      fill(run, 'postgres', { count: ROWS, now: NOW, dueFrom: NOW }),
    );
    const explain = async (): Promise<string[]> => {
      const found: string[] = [];
      for (const { parameters, sql } of statements) {
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PostgresPlan }[] }>(
          `explain (format json) ${sql}`,
          [...parameters],
        );
        for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? [])
          found.push(...scannedByPostgres(Plan).map((node) => `${node}: ${sql}`));
      }
      return found;
    };
    try {
      // what has no index is scanned even so
      await client.query('set enable_seqscan = off');
      assert.deepEqual(await explain(), []);
      // what the planner prefers once it knows how the rows are spread
      await client.query('set enable_seqscan = on; analyze');
      assert.deepEqual(await explain(), []);
    } finally {
      await client.end();
    }
  });
});
