/** The monthly partitions of a PostgreSQL ledger. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Kysely } from 'kysely';
import pg from 'pg';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import type { NewShopEvent, OrderRow } from '../../../../relay/ledger/rows.js';
import { addMonths, monthsFor } from '../../../../relay/ledger/sql/months.js';
import { postgresEngine } from '../../../../relay/ledger/sql/postgres-engine.js';
import { sqlLedger } from '../../../../relay/ledger/sql/sql-ledger.js';
import type { Tables } from '../../../../relay/ledger/sql/tables.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { observedDialect, type Statement } from '../../support/observed-dialect.js';
import { poolOf, startPostgres, type Postgres } from '../../support/postgres.js';
import { until } from '../../support/wait.js';
import { fresh, freshIntent } from '../orders/fresh-order.js';

const DAY_MS = 86_400_000;
const JANUARY = Date.UTC(2020, 0, 10);
const FEBRUARY = Date.UTC(2020, 1, 10);
const MARCH_BEGINS = Date.UTC(2020, 2);

let postgres: Postgres;
before(async () => {
  postgres = await startPostgres({ syncs: false });
});
after(() => postgres.stop());

type Opened = {
  ledger: Ledger;
  /** Reads or changes the tables on a connection of its own. */
  run(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  seen: Statement[];
  url: string;
};

/** A ledger with partitions for January to April 2020, and for this month and the next two. */
async function withLedger(test: (opened: Opened) => Promise<void>): Promise<void> {
  const url = await postgres.database();
  const client = new pg.Client(url);
  await client.connect();
  const seen: Statement[] = [];
  const pool = poolOf({ connectionString: url });
  const engine = postgresEngine(pool);
  const dialect = observedDialect(engine.dialect, (statement) => seen.push(statement));
  const ledger = await sqlLedger({ ...engine, dialect });
  const adding = new Kysely<Tables>({
    dialect: postgresEngine(poolOf({ connectionString: url })).dialect,
  });
  await addMonths(adding, monthsFor(JANUARY, FEBRUARY));
  await adding.destroy();
  try {
    await test({
      ledger,
      seen,
      url,
      run: async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows,
    });
  } finally {
    await ledger.close();
    await client.end();
  }
}

const orderOf = (id: string, change: Partial<OrderRow> = {}): OrderRow => ({
  ...fresh,
  request_id: id,
  intent_id: id,
  ...change,
});

const claim = (
  ledger: Ledger,
  order: OrderRow,
  createdAt: number,
  afterOrder: string | null = null,
): ReturnType<Ledger['claimOrder']> =>
  ledger.claimOrder({
    intent: { ...freshIntent, intent_id: order.intent_id, created_at: createdAt },
    order,
    after: afterOrder,
  });

const eventOf = (id: string): NewShopEvent => ({
  event_id: `event of ${id}`,
  intent_id: id,
  sequence: 1,
  type: 'order.succeeded',
  body: '{}',
  created_at: FEBRUARY,
  next_try_at: null,
});

/** Claims an order, and writes its success with an event. */
async function pay(ledger: Ledger, id: string, createdAt: number): Promise<void> {
  await claim(ledger, orderOf(id, { created_at: createdAt }), createdAt);
  const paid = orderOf(id, { created_at: createdAt, outcome: 'succeeded', version: 2 });
  assert.equal(await ledger.replaceOrder(paid, () => [eventOf(id)]), true);
}

const partitions = async ({ run }: Opened): Promise<string[]> => {
  const rows = await run(`select inhrelid::regclass::text as name from pg_inherits
    where inhparent in ('orders'::regclass, 'shop_events'::regclass) order by name`);
  return rows.map(({ name }) => String(name));
};

const countsOf = async ({ run }: Opened): Promise<Record<string, unknown> | undefined> =>
  (
    await run(`select (select count(*)::int from intents) as intents,
      (select count(*)::int from order_places) as places,
      (select count(*)::int from orders) as orders,
      (select count(*)::int from shop_events) as events`)
  )[0];
const all = (count: number) => ({
  intents: count,
  places: count,
  orders: count,
  events: count,
});

type Plan = { 'Relation Name'?: string; 'Actual Loops'?: number; Plans?: Plan[] };
const executed = (plan: Plan): string[] => [
  ...(plan['Actual Loops'] && plan['Relation Name'] ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(executed),
];

/** Undoes the last change of each order, so that a statement that has run can run once more. */
async function undoChanges(run: Opened['run']): Promise<void> {
  await run('update orders set version = version - 1');
  await run('update intents set event_count = 0, paid_request_id = null, closed_at = null');
  await run('delete from shop_events');
}

describe('the monthly partitions of PostgreSQL', () => {
  it('have this month and the next two, when several relays open a ledger at once', async () => {
    const url = await postgres.database();
    const ledgers = await Promise.all(Array.from({ length: 4 }, () => openLedger(url)));
    const client = new pg.Client(url);
    await client.connect();
    const now = new Date();
    const months = Array.from({ length: 3 }, (_, index) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + index))
        .toISOString()
        .slice(0, 7)
        .replace('-', '_'),
    );
    const { rows } = await client.query<{ name: string }>(`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'orders'::regclass`);
    assert.deepEqual(
      rows.map(({ name }) => name).sort(),
      [...months.map((month) => `orders_${month}`), 'orders_other'].sort(),
    );
    await client.end();
    await Promise.all(ledgers.map((ledger) => ledger.close()));
  });

  it('have an order and its events in the month of its intent', () =>
    withLedger(async ({ ledger, run }) => {
      await claim(ledger, orderOf('a', { created_at: JANUARY }), JANUARY);
      const second = orderOf('b', {
        intent_id: 'a',
        ordinal: 2,
        created_at: JANUARY + 40 * DAY_MS,
      });
      assert.equal((await claim(ledger, second, second.created_at, 'a')).claimed, true);
      const paid: OrderRow = { ...second, outcome: 'succeeded', version: 2 };
      assert.equal(await ledger.replaceOrder(paid, () => [eventOf('a')]), true);
      const rows = await run(`select tableoid::regclass::text as name from orders
        union all select tableoid::regclass::text from shop_events`);
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['orders_2020_01', 'orders_2020_01', 'shop_events_2020_01'],
      );
    }));

  it('are not read except for the month of an order', () =>
    withLedger(async ({ ledger, run, seen }) => {
      for (let index = 0; index < 40; index++)
        await pay(ledger, `other-${index}`, JANUARY + index * DAY_MS);
      seen.length = 0;
      await claim(ledger, orderOf('a', { created_at: FEBRUARY }), FEBRUARY);
      await claim(ledger, orderOf('b', { intent_id: 'a', ordinal: 2 }), FEBRUARY, 'a');
      await ledger.order('a');
      await ledger.orderInIntent('b');
      await ledger.ordersOf('a');
      await ledger.claimQuerySlot('b', FEBRUARY, 1000);
      await ledger.reclaimOrder(orderOf('b', { intent_id: 'a', ordinal: 2, version: 2 }));
      const paid = { outcome: 'succeeded', version: 3 } as const;
      await ledger.replaceOrder(orderOf('b', { intent_id: 'a', ...paid }), () => [eventOf('a')]);
      const later = { ...eventOf('a'), event_id: 'later', sequence: 2 };
      await ledger.replaceOrder(orderOf('a', { version: 2 }), () => [later]);
      await ledger.closeIntent(
        { ...freshIntent, intent_id: 'a', created_at: FEBRUARY },
        { at: FEBRUARY, reason: 'sold out' },
      );
      const ofOrders = seen.filter(({ sql }) =>
        /"orders"|"shop_events"|orders\.|update orders/.test(sql),
      );
      assert.ok(ofOrders.length >= 10, `${ofOrders.length} statements`);
      for (const { parameters, sql } of ofOrders) {
        const isChange = sql.includes('update orders');
        // an insert that ran before would violate a constraint, so it has no plan to look at
        if (!isChange && sql.includes('insert into')) continue;
        await run('begin');
        if (isChange) await undoChanges(run);
        const text = `explain (analyze, costs off, timing off, format json) ${sql}`;
        const [row] = await run(text, [...parameters]);
        const [{ Plan }] = row?.['QUERY PLAN'] as [{ Plan: Plan }];
        const read = executed(Plan).filter((name) => /^(orders|shop_events)_\d/.test(name));
        const others = [...new Set(read)].filter((name) => !name.endsWith('_2020_02'));
        assert.deepEqual(others, [], sql);
        if (isChange) assert.notEqual(read.length, 0, sql);
        await run('rollback');
      }
    }));

  it('keep a request_id and an ordinal unique across the months', () =>
    withLedger(async (opened) => {
      const { ledger } = opened;
      await pay(ledger, 'a', JANUARY);
      const sameRequest = orderOf('a', { intent_id: 'b' });
      await assert.rejects(claim(ledger, sameRequest, FEBRUARY), /order_places_pkey/);
      assert.equal(
        await ledger.addLostOrder(sameRequest, { ...freshIntent, intent_id: 'b' }),
        false,
      );
      const sameOrdinal = orderOf('c', { intent_id: 'a' });
      assert.equal(await ledger.addLostOrder(sameOrdinal), false);
      assert.equal((await ledger.order('a'))?.intent_id, 'a');
      assert.deepEqual(await countsOf(opened), { ...all(1), intents: 2 });
    }));

  it('are dropped with their intents, when the last day of the month is old enough', () =>
    withLedger(async (opened) => {
      const { ledger } = opened;
      for (const [id, at] of [
        ['a', JANUARY],
        ['b', JANUARY + DAY_MS],
        ['c', FEBRUARY],
        ['d', FEBRUARY + DAY_MS],
      ] as const)
        await pay(ledger, id, at);
      const before = await partitions(opened);
      // January has ended by then, and February has not
      assert.equal(await ledger.purge(FEBRUARY + 2 * DAY_MS, 1), 1);
      assert.deepEqual(await partitions(opened), before);
      assert.equal(await ledger.purge(FEBRUARY + 2 * DAY_MS, 10), 1);
      assert.deepEqual(
        await partitions(opened),
        before.filter((name) => !name.endsWith('2020_01')),
      );
      assert.deepEqual(await countsOf(opened), all(2));
      assert.deepEqual(await ledger.verify(), []);
      assert.equal(await ledger.order('a'), null);
      assert.equal((await ledger.order('c'))?.request_id, 'c');
      assert.equal(await ledger.purge(MARCH_BEGINS, 10), 2);
      assert.deepEqual(await countsOf(opened), all(0));
      assert.ok(!(await partitions(opened)).some((name) => name.endsWith('2020_02')));
      assert.ok((await partitions(opened)).some((name) => name.endsWith('2020_03')));
    }));

  it('stay while an intent of the month is locked', () =>
    withLedger(async (opened) => {
      const { ledger, run } = opened;
      await pay(ledger, 'a', JANUARY);
      await pay(ledger, 'b', JANUARY);
      await run('begin');
      await run("select 1 from intents where intent_id = 'b' for update");
      assert.equal(await ledger.purge(MARCH_BEGINS, 10), 1);
      await run('commit');
      assert.equal((await ledger.order('b'))?.request_id, 'b');
      assert.equal(await ledger.purge(MARCH_BEGINS, 10), 1);
      assert.deepEqual(await countsOf(opened), all(0));
    }));

  it('are dropped by a later purge, when somebody reads the tables for a long time', () =>
    withLedger(async (opened) => {
      const { ledger, run } = opened;
      await pay(ledger, 'a', JANUARY);
      const before = await partitions(opened);
      await run('begin');
      await run('select count(*) from orders');
      const began = performance.now();
      assert.equal(await ledger.purge(MARCH_BEGINS, 10), 1);
      // a customer waits for the lock too, so the purge must give up long before this
      assert.ok(performance.now() - began < 5000);
      assert.deepEqual(await partitions(opened), before);
      assert.deepEqual((await ledger.listOrders(null, 10)).rows.length, 1);
      assert.deepEqual(await ledger.verify(), []);
      await run('commit');
      assert.equal(await ledger.purge(MARCH_BEGINS, 10), 0);
      assert.ok(!(await partitions(opened)).some((name) => name.endsWith('2020_01')));
    }));

  it('stay when an order of the month is claimed while the purge waits for the tables', () =>
    withLedger(async (opened) => {
      const { ledger, run, url } = opened;
      await pay(ledger, 'model', FEBRUARY);
      await run('begin');
      await run(`insert into intents (intent_id, mode, content, amount, currency, product_name,
          customer_ref_id, created_at, current_request_id, event_count)
        select 'a', mode, content, amount, currency, product_name, customer_ref_id, ${JANUARY},
          'a', 0
        from intents where intent_id = 'model'`);
      await run(`insert into order_places values ('a', 'a', 1, ${JANUARY})`);
      await run(`insert into orders (request_id, intent_id, ordinal, option, amount, currency,
          pay_currency, open_amount, had_customer, sending, outcome, late, created_at, version,
          changed_in, intent_created_at)
        select 'a', 'a', 1, option, amount, currency, pay_currency, open_amount, had_customer,
          sending, outcome, late, created_at, version, 0, ${JANUARY}
        from orders where request_id = 'model'`);
      const watcher = new pg.Client(url);
      await watcher.connect();
      const purged = ledger.purge(FEBRUARY, 10);
      await until(async () => {
        const { rowCount } = await watcher.query('select 1 from pg_locks where not granted');
        return rowCount !== 0;
      }, 'the purge waits for a lock');
      await run('commit');
      assert.equal(await purged, 0);
      assert.equal((await ledger.order('a'))?.intent_id, 'a');
      await watcher.end();
    }));

  it('are not needed: an order of another time is kept, found and purged without one', () =>
    withLedger(async (opened) => {
      const { ledger, run } = opened;
      await pay(ledger, 'old', Date.UTC(2010, 5, 15));
      await pay(ledger, 'ahead', Date.UTC(2100, 5, 15));
      const rows = await run('select tableoid::regclass::text as name from orders');
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['orders_other', 'orders_other'],
      );
      assert.equal((await ledger.order('ahead'))?.outcome, 'succeeded');
      assert.equal(await ledger.purge(Date.UTC(2010, 5, 16), 10), 1);
      assert.deepEqual(await countsOf(opened), all(1));
    }));

  it('are not added where orders of the month have none, and the relay runs on', () =>
    withLedger(async (opened) => {
      const { ledger, run, url } = opened;
      const at = Date.UTC(2021, 0, 5);
      await pay(ledger, 'a', at);
      const db = new Kysely<Tables>({
        dialect: postgresEngine(poolOf({ connectionString: url })).dialect,
      });
      await addMonths(db, monthsFor(at, at));
      await db.destroy();
      const added = (await partitions(opened)).filter((name) => name.includes('_2021_'));
      assert.deepEqual(added, [
        'orders_2021_02',
        'orders_2021_03',
        'shop_events_2021_02',
        'shop_events_2021_03',
      ]);
      const [row] = await run('select tableoid::regclass::text as name from orders');
      assert.equal(row?.name, 'orders_other');
    }));
});
