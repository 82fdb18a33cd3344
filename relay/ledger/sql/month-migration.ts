/** The step that moves the orders and events of a PostgreSQL ledger into monthly partitions. */
import { sql, type Kysely, type Migration } from 'kysely';
import { monthsFor, PARTITIONED, partitionStatements } from './months.js';

/** Orders of a ledger that is older than this stay in the partition without a month. */
const MAX_AGE_MS = 5 * 366 * 86_400_000;

/**
 * Unique constraints of a partitioned table must include the month, so the identity of each order
 * is in `order_places`, a table of its own.
 */
export const partitionByMonth: Migration['up'] = async (db: Kysely<unknown>) => {
  const run = (text: string): Promise<unknown> => sql.raw(text).execute(db);
  // the tables are copied, which may take longer than a statement of the relay may
  await run('set local statement_timeout = 0');
  await run('lock table intents, orders, shop_events in access exclusive mode');
  await run(`create table order_places (
    request_id text primary key,
    intent_id text not null references intents (intent_id),
    ordinal integer not null,
    intent_created_at bigint not null,
    constraint one_order_per_ordinal_of_intent unique (intent_id, ordinal))`);
  await run(`insert into order_places
    select request_id, intent_id, ordinal, intents.created_at
    from orders join intents using (intent_id)`);
  await run('alter sequence shop_events_seq_seq owned by none');
  const { rows } = await sql<{ first: number; last: number }>`
    select coalesce(min(created_at), now_ms) as first, now_ms as last
    from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) as clock
    left join intents on created_at between now_ms - ${sql.lit(MAX_AGE_MS)} and now_ms
    group by now_ms`.execute(db);
  for (const table of PARTITIONED) {
    await run(`create table ${table}_by_month
      (like ${table} including defaults, intent_created_at bigint not null)
      partition by range (intent_created_at)`);
    await run(`create table ${table}_other partition of ${table}_by_month default`);
    for (const { first, last } of rows)
      for (const month of monthsFor(Number(first), Number(last)))
        for (const text of partitionStatements(table, month, `${table}_by_month`)) await run(text);
    // an event without its intent is as old as it says itself
    await run(`insert into ${table}_by_month
      select ${table}.*, coalesce(intents.created_at, ${table}.created_at)
      from ${table} left join intents using (intent_id)`);
    await run(`drop table ${table}`);
    await run(`alter table ${table}_by_month rename to ${table}`);
  }
  await run('alter sequence shop_events_seq_seq owned by shop_events.seq');
  for (const index of INDEXES) await run(index);
};

const INDEXES = [
  'alter table orders add constraint orders_pkey primary key (request_id, intent_created_at)',
  'create index orders_of_intent on orders (intent_id, ordinal)',
  'create index orders_due on orders (next_check_at) where next_check_at is not null',
  'create index orders_changed on orders (changed_in, request_id)',
  `create index orders_unsent on orders (created_at) where sending = 'unsent' and ordinal = 1`,
  'alter table shop_events add constraint shop_events_pkey primary key (seq, intent_created_at)',
  `alter table shop_events
    add constraint shop_events_event_id_key unique (event_id, intent_created_at)`,
  `create index shop_events_due on shop_events (next_try_at, created_at)
    where next_try_at is not null`,
  'create index shop_events_of_intent on shop_events (intent_id, seq)',
  'create index shop_events_written on shop_events (written_in, seq)',
  'create index shop_events_since on shop_events (created_at, seq)',
];
