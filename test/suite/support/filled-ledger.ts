/** Fills a ledger with many orders in a few statements; both engines get the same rows. */

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

const TABLES = ['intents', 'requests', 'lookups', 'events', 'deposit_addresses', 'pay_links'];

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
  const due = `(${dueFrom} + n * 7919 % ${HOUR_MS})`;
  const ids = `"request_id":"' || ${requestId} || '","intent_id":"' || ${intentId} || '"`;
  const customer = `'web-' || ${padded}`;
  const body = `'{"mode":"open","intent_id":"' || ${intentId} || '","content":"' || ${digest} ||
    '","amount":"12.50","currency":"USD","product_name":"A tree, planted in your name",' ||
    '"customer_ref_id":"web-' || ${padded} || '","return_url":"https://shop.example/thank-you",' ||
    '"created_at":' || ${created} || ',"current_request_id":"' || ${requestId} ||
    '","event_count":1,' || case when ${isWatched} then ''
      else '"paid_request_id":"' || ${requestId} || '",' end ||
    '"orders":[{${ids},"ordinal":1,"option":"card","amount":"12.50","currency":"USD",' ||
    '"pay_currency":"USD","open_amount":true,"sending":"answered","order_no":"P' || ${padded} ||
    '","first_status":11,"echoed_amount":"12.50","echoed_currency":"USD","version":5,' ||
    '"next_action":{"kind":"open_page","checkout_url":"https://service.example/checkout/' ||
    ${padded} || '"},"created_at":' || ${created} || ',"aged_from":' || ${created} ||
    ',"checked_at":' || (${created} + 60000) ||
    case when ${isWatched} then ',"status":11,"outcome":"pending","next_check_at":' || ${due}
      else ',"status":20,"outcome":"succeeded"' end || '}]}'`;
  const hour = `(${created} - ${created} % ${HOUR_MS})`;
  const outcome = `case when ${isWatched} then 'pending' else 'succeeded' end`;
  return [
    `insert into counted (intent_id, orders)
      select ${intentId},
        '[[' || ${hour} || ',"card","USD","' || ${outcome} || '","12.50",null]]' ${from}`,
    `insert into hour_counts (hour, option, currency, outcome, orders, amount, paid_after)
      select hour, 'card', 'USD', outcome, count(*), cast(count(*) * 12.5 as text), '{}'
      from (select ${hour} as hour, ${outcome} as outcome ${from}) as orders
      group by hour, outcome`,
    `insert into settings (name, value)
      select 'counted', '["' || value || '",${count},0]' from settings where name = 'epoch'`,
    `insert into intents
        (intent_id, version, body, created_at, due_at, open_as, open_since, position)
      select ${intentId}, 5, ${body}, ${created}, case when ${isWatched} then ${due} end,
        case when ${isWatched} then 'pending' end, case when ${isWatched} then ${created} end,
        n ${from}`,
    `insert into requests (request_id, intent_id, asked_at)
      select ${requestId}, ${intentId}, ${created} + 60000 ${from}`,
    `insert into lookups (kind, text, intent_id)
      select 'customer_ref_id', ${customer}, ${intentId} ${from}`,
    `insert into lookups (kind, text, intent_id)
      select 'order_no', 'P' || ${padded}, ${intentId} ${from}`,
    `insert into events (seq, event_id, intent_id, sequence, type, body, created_at, tries,
        next_try_at, delivered_at)
      select n, ${eventId}, ${intentId}, 1, 'order.succeeded',
        '{"type":"order.succeeded","timestamp":"2026-11-21T12:00:00.000Z","data":{"intent_id":"' ||
          ${intentId} || '","request_id":"' || ${requestId} || '","order_no":"P' || ${padded} ||
          '","outcome":"succeeded","status":20,"late":false,"open_amount":true,"livemode":true,' ||
          '"mode":"open","amount":"12.50","currency":"USD","product_name":' ||
          '"A tree, planted in your name","sku":null,"quantity":null,"customer_ref_id":"web-' ||
          ${padded} || '","sequence":1,"epoch":"00000000-0000-4000-8000-000000000000"}}',
        ${created} + 60000, 0, null, ${created} + 61000 ${from}`,
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

/**
 * Writes `count` orders of the last 90 days, each with its intent and one delivered event, and some
 * deposit addresses. One order in a hundred is still watched and due within the hour after
 * `dueFrom`.
 */
export async function fill(run: RunSql, engine: SqlEngine, filling: Filling): Promise<void> {
  const indexes = await run(plainIndexes[engine]);
  for (const { name } of indexes) await run(`drop index ${String(name)}`);
  for (const statement of inserts(engine, filling)) await run(statement);
  for (const { definition } of indexes) await run(String(definition));
  if (engine === 'postgres')
    for (const name of ['order_numbers', 'event_numbers'])
      await run(`select setval('${name}', ${filling.count})`);
}
