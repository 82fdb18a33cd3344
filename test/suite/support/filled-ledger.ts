/** Fills a ledger with many orders in a few statements; both engines get the same rows. */

import { monthsFor, PARTITIONED, partitionStatements } from '../../../relay/ledger/sql/months.js';

export type SqlEngine = 'sqlite' | 'postgres';

export type Filling = {
  count: number;
  /** The youngest order was created shortly before this time. */
  now: number;
  /** The earliest time at which a watched order is due. */
  dueFrom: number;
};

/** Runs one statement on a connection that the ledger does not use. */
export type RunSql = (sql: string) => Promise<Record<string, unknown>[]>;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The orders are spread over this many days. */
const DAYS = 90;
/** One order in this many is still watched; these are the youngest. */
const WATCHED_DIVISOR = 100;

const TABLES = [
  'intents',
  'orders',
  'order_places',
  'shop_events',
  'deposit_addresses',
  'pay_links',
];

/** SQL for the numbers from 1 to `count`, as rows(n). */
const numbers: Record<SqlEngine, (count: number) => string> = {
  sqlite: (count) =>
    `(with recursive r(n) as (select 1 union all select n + 1 from r where n < ${count})
      select n from r) as rows`,
  postgres: (count) => `generate_series(1::bigint, ${count}) as rows(n)`,
};

/** Selects the indexes without a constraint: creating them after the rows is much faster. */
const plainIndexes: Record<SqlEngine, string> = {
  sqlite: `select name, sql as definition from sqlite_master
    where type = 'index' and sql is not null`,
  postgres: `select indexname as name, indexdef as definition from pg_indexes
    where schemaname = 'public' and tablename in ('${TABLES.join("', '")}')
      and indexname not in (select conname from pg_constraint)`,
};

/**
 * SQL for a number that looks random and takes each value once. An identifier that begins with it
 * is unique and spreads over an index as the relay's digests do.
 */
const scattered = (factor: number): string => `(10000000000 + n * ${factor} % 4294967296)`;
const text = (expression: string): string => `cast(${expression} as text)`;
const padded = text('100000000000000 + n');

const requestId = `${text(scattered(2_654_435_761))} || ${padded}`;
const intentId = `'web.' || ${text(scattered(2_246_822_519))} || ${padded}`;
const uuidTail = `'-0000-4000-8000-' || ${text('100000000 + n')}`;
const eventId = `'evt_' || ${text(scattered(668_265_263))} || ${uuidTail}`;
const digest = `'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15' ||
  ${text('1000000000000 + n')}`;

/** @returns the request_id of the row with this number */
export const filledRequestId = (n: number): string =>
  String(10_000_000_000n + ((BigInt(n) * 2_654_435_761n) % 4_294_967_296n)) +
  String(100_000_000_000_000 + n);

const watchedOf = (count: number): number => Math.ceil(count / WATCHED_DIVISOR);

/** @returns whether the order was filled in as finished */
export const isFinished = (requestId: string, count: number): boolean =>
  Number(requestId.slice(-15)) - 100_000_000_000_000 <= count - watchedOf(count);

function inserts(engine: SqlEngine, { count, dueFrom, now }: Filling): string[] {
  const from = `from ${numbers[engine](count)}`;
  const isWatched = `n > ${count - watchedOf(count)}`;
  const created = `(${now - DAYS * DAY_MS} + n * ${DAYS * DAY_MS} / ${count + 1})`;
  const outcome = `case when ${isWatched} then 'pending' else 'succeeded' end`;
  // on PostgreSQL, orders and events are in the month of their intent
  const [monthColumn, month] =
    engine === 'postgres' ? [', intent_created_at', `, ${created}`] : ['', ''];
  // the sequences of PostgreSQL have not given these numbers, so they must be below the first one
  const number = engine === 'sqlite' ? 'n' : `n - ${count}`;
  return [
    `insert into intents (intent_id, mode, content, amount, currency, product_name,
        customer_ref_id, return_url, created_at, current_request_id, paid_request_id, event_count)
      select ${intentId}, 'open', ${digest}, '12.50', 'USD', 'A tree, planted in your name',
        'web-' || ${padded}, 'https://shop.example/thank-you', ${created}, ${requestId},
        case when ${isWatched} then null else ${requestId} end, 1 ${from}`,
    `insert into orders (request_id, intent_id, ordinal, option, amount, currency,
        pay_currency, open_amount, had_customer, sending, order_no, first_status, status, outcome,
        echoed_amount, echoed_currency, next_action, late, created_at, checked_at, asked_at,
        next_check_at, version, changed_in${monthColumn})
      select ${requestId}, ${intentId}, 1, 'card', '12.50', 'USD', 'USD', 1, 0, 'answered',
        'P' || ${padded}, 11, case when ${isWatched} then 11 else 20 end, ${outcome}, '12.50',
        'USD', '{"kind":"open_page","checkout_url":"https://service.example/checkout/' ||
          ${padded} || '"}',
        0, ${created}, ${created} + 60000, ${created} + 60000,
        case when ${isWatched} then ${dueFrom} + n * 7919 % ${HOUR_MS} end, 5,
        ${number}${month} ${from}`,
    ...(engine === 'postgres'
      ? [
          `insert into order_places (request_id, intent_id, ordinal, intent_created_at)
            select ${requestId}, ${intentId}, 1, ${created} ${from}`,
        ]
      : []),
    `insert into shop_events (seq, event_id, intent_id, sequence, type, body, created_at, tries,
        next_try_at, delivered_at${monthColumn})
      select ${number}, ${eventId}, ${intentId}, 1, 'order.succeeded',
        '{"type":"order.succeeded","timestamp":"2026-11-21T12:00:00.000Z","data":{"intent_id":"' ||
          ${intentId} || '","request_id":"' || ${requestId} || '","order_no":"P' || ${padded} ||
          '","outcome":"succeeded","status":20,"late":false,"open_amount":true,"livemode":true,' ||
          '"mode":"open","amount":"12.50","currency":"USD","product_name":' ||
          '"A tree, planted in your name","sku":null,"quantity":null,"customer_ref_id":"web-' ||
          ${padded} || '","sequence":1,"epoch":"00000000-0000-4000-8000-000000000000"}}',
        ${created} + 60000, 0, null, ${created} + 61000${month} ${from}`,
    `insert into deposit_addresses (customer_ref_id, currency, network, address, tag,
        created_at)
      select 'web-' || ${padded}, 'XRP', 'XRP Ledger', 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
        ${padded}, ${created} ${from} where n % 10 = 0`,
    `insert into pay_links (pay_link_id, token_digest, terms, uses, used, created_at, expires_at)
      select 'pl_' || ${padded}, ${digest},
        '{"amount":"12.50","currency":"USD","product_name":"A tree","customer_ref_id":"c-1"}',
        10, 1, ${created}, ${created} + ${DAYS * DAY_MS} ${from}`,
  ];
}

/** The ledger has partitions for the months of now, but not for those of the filled orders. */
async function addMonths(run: RunSql, now: number): Promise<void> {
  const rows = await run('select inhrelid::regclass::text as name from pg_inherits');
  const known = new Set(rows.map(({ name }) => name));
  for (const month of monthsFor(now - DAYS * DAY_MS, now))
    for (const table of PARTITIONED)
      if (!known.has(`${table}_${month.name}`))
        for (const text of partitionStatements(table, month)) await run(text);
}

/**
 * Writes `count` orders of the last 90 days, each with its intent and one delivered event, and some
 * deposit addresses. One order in a hundred is still watched and due within the hour after
 * `dueFrom`.
 */
export async function fill(run: RunSql, engine: SqlEngine, filling: Filling): Promise<void> {
  if (engine === 'postgres') await addMonths(run, filling.now);
  const indexes = await run(plainIndexes[engine]);
  for (const { name } of indexes) await run(`drop index ${String(name)}`);
  for (const statement of inserts(engine, filling)) await run(statement);
  // PostgreSQL describes the index of a partitioned table without those of its partitions
  for (const { definition } of indexes) await run(String(definition).replace(' ON ONLY ', ' ON '));
}
