/**
 * The monthly partitions of the orders and events in PostgreSQL. An intent's orders and events are
 * in the month in which the intent was created, so that they are dropped together.
 */
import { sql, type Kysely, type QueryExecutorProvider, type Transaction } from 'kysely';
import type { Engine } from './engine.js';
import type { Tables } from './tables.js';

/** The tables with a partition for each month. */
export const PARTITIONED = ['orders', 'shop_events'] as const;
type PartitionedTable = (typeof PARTITIONED)[number];

/** Months that have partitions before they begin; the purge adds them. */
const MONTHS_AHEAD = 2;

/** Only one relay at a time changes partitions; the number is that of an advisory lock. */
const PARTITIONS_LOCK = 7_290_411;

/**
 * Attaching and dropping a partition locks the tables. While it waits for the lock, customers wait
 * too, so it gives up soon and the next purge tries again.
 */
const LOCK_TIMEOUT = '200ms';

/**
 * Codes of PostgreSQL (its manual, appendix A): the lock was not free in time, and the default
 * partition has rows of the new month.
 */
const TRY_LATER: readonly unknown[] = ['55P03', '23514'];

/** A month of UTC, from `from` until before `to`, in milliseconds. */
export type Month = { readonly name: string; readonly from: number; readonly to: number };

const monthAt = (year: number, index: number): Month => {
  const from = new Date(Date.UTC(year, index));
  return {
    name: from.toISOString().slice(0, 7).replace('-', '_'),
    from: from.getTime(),
    to: Date.UTC(year, index + 1),
  };
};

/** The months from the month of `first` to the month of `last`, and some months ahead of them. */
export function monthsFor(first: number, last: number): Month[] {
  const [begin, end] = [new Date(first), new Date(last)];
  const count =
    (end.getUTCFullYear() - begin.getUTCFullYear()) * 12 + end.getUTCMonth() - begin.getUTCMonth();
  return Array.from({ length: count + 1 + MONTHS_AHEAD }, (_, index) =>
    monthAt(begin.getUTCFullYear(), begin.getUTCMonth() + index),
  );
}

/** @returns the months that have partitions, the oldest first */
export async function findMonths(db: QueryExecutorProvider): Promise<Month[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'orders'::regclass and relname ~ '^orders_[0-9]{4}_[0-9]{2}$'
    order by relname`.execute(db);
  return rows.map(({ name }) => {
    const [, year, month] = name.split('_');
    return monthAt(Number(year), Number(month) - 1);
  });
}

/**
 * The statements that add an empty partition of the month. With `create table … partition of`,
 * readers of the table would have to wait.
 */
export const partitionStatements = (
  table: PartitionedTable,
  { from, name, to }: Month,
): string[] => [
  `create table ${table}_${name} (like ${table} including all)`,
  `alter table ${table} attach partition ${table}_${name} for values from (${from}) to (${to})`,
];

/** Adds the partitions of this month and of the next ones, where the engine has partitions. */
export async function addMonthsAhead(db: Kysely<Tables>, engine: Engine): Promise<void> {
  if (engine.hasMonths) await addMonths(db, await monthsAhead(db, engine));
}

/** Does the same in the transaction that makes the tables. */
export async function createMonthsAhead(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (!engine.hasMonths) return;
  for (const month of await monthsAhead(db, engine))
    for (const table of PARTITIONED)
      for (const text of partitionStatements(table, month)) await sql.raw(text).execute(db);
}

async function monthsAhead(db: QueryExecutorProvider, { now }: Engine): Promise<Month[]> {
  const { rows } = await sql<{ now: number }>`select ${now} as now`.execute(db);
  return rows.flatMap((row) => monthsFor(Number(row.now), Number(row.now)));
}

/** Adds partitions for the months that have none. */
export async function addMonths(db: Kysely<Tables>, months: readonly Month[]): Promise<void> {
  const missing = missingIn(await findMonths(db), months);
  for (const month of missing)
    await lockedBriefly(db, async (transaction) => {
      if (missingIn(await findMonths(transaction), [month]).length === 0) return;
      const texts = PARTITIONED.flatMap((table) => partitionStatements(table, month));
      for (const text of texts) await sql.raw(text).execute(transaction);
    });
}

/** Drops the partitions of those of these months that have no intent any more. */
export async function dropMonths(db: Kysely<Tables>, months: readonly Month[]): Promise<void> {
  for (const { from, name, to } of months)
    await lockedBriefly(db, async (transaction) => {
      // an order that is being claimed, by a clock far behind, must be seen below
      await sql`lock table only orders, only shop_events in access exclusive mode`.execute(
        transaction,
      );
      const intent = await transaction
        .selectFrom('intents')
        .select('intent_id')
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .limit(1)
        .executeTakeFirst();
      if (intent) return;
      const tables = sql.join(PARTITIONED.map((table) => sql.table(`${table}_${name}`)));
      await sql`drop table if exists ${tables}`.execute(transaction);
    });
}

const missingIn = (known: readonly Month[], months: readonly Month[]): Month[] =>
  months.filter(({ name }) => !known.some((month) => month.name === name));

/** Changes partitions in a transaction, or gives up when the tables are busy. */
async function lockedBriefly(
  db: Kysely<Tables>,
  change: (transaction: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  try {
    await db.transaction().execute(async (transaction) => {
      await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction);
      await sql`select pg_advisory_xact_lock(${sql.lit(PARTITIONS_LOCK)})`.execute(transaction);
      await change(transaction);
    });
  } catch (error) {
    if (!(error instanceof Error && TRY_LATER.includes(Reflect.get(error, 'code')))) throw error;
  }
}
