/** Deletes old intents in small steps, so that no step delays a customer. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Engine } from './engine.js';
import { addMonthsAhead, dropMonths, findMonths } from './months.js';
import type { Tables } from './tables.js';

/**
 * Selected rows are locked until they are deleted: an unsent order may be claimed again at the same
 * moment, and a claimed order must not be deleted. The oldest come first; without `order by`,
 * PostgreSQL would scan the rows that earlier steps deleted, at every step.
 */
export const sqlRetention = (
  db: Kysely<Tables>,
  engine: Engine,
): Pick<Ledger, 'purge' | 'purgeUnsent'> => ({
  purge: async (before, limit) => {
    if (!engine.hasMonths) return purgeBefore(db, engine, before, limit);
    const months = await findMonths(db);
    const unfinished = months.find(({ from, to }) => from < before && before < to);
    const deleted = await purgeBefore(db, engine, unfinished?.from ?? before, limit);
    // the last step of a purge
    if (deleted < limit) {
      const ended = months.filter(({ to }) => to <= before);
      await dropMonths(db, ended);
      await addMonthsAhead(db, engine);
    }
    return deleted;
  },
  purgeUnsent: (before, limit) =>
    db.transaction().execute(async (transaction) => {
      const unsent = await engine
        .skipLocked(
          transaction
            .selectFrom('orders')
            .select('intent_id')
            // literals, since SQLite does not use a partial index for bound values
            .where('sending', '=', sql.lit('unsent'))
            .where('ordinal', '=', sql.lit(1))
            .where('created_at', '<', before)
            .where(({ exists, not, ref, selectFrom }) =>
              not(
                exists(
                  selectFrom('intents')
                    .select('intent_id')
                    .where('intents.intent_id', '=', ref('orders.intent_id'))
                    .where('intents.closed_at', 'is not', null),
                ),
              ),
            )
            // a restored ledger may have adopted a later order, which was sent and may be paid
            .where(({ exists, not, ref, selectFrom }) =>
              not(
                exists(
                  selectFrom('orders as other')
                    .select('other.intent_id')
                    .where('other.intent_id', '=', ref('orders.intent_id'))
                    .where('other.sending', '<>', 'unsent'),
                ),
              ),
            )
            .orderBy('created_at')
            .limit(limit),
        )
        .execute();
      const empty = await engine
        .skipLocked(
          transaction
            .selectFrom('intents')
            .select('intent_id')
            .where('current_request_id', 'is', null)
            .where('closed_at', 'is', null)
            .where('created_at', '<', before)
            .orderBy('created_at')
            .limit(limit - unsent.length),
        )
        .execute();
      return deleteIntents(transaction, [...unsent, ...empty], engine, tablesOf(engine));
    }),
});

/** The tables with the rows of an intent. Each comes before those that it refers to. */
const tablesOf = ({ hasMonths }: Engine) =>
  hasMonths
    ? (['shop_events', 'orders', 'order_places', 'intents'] as const)
    : (['shop_events', 'orders', 'intents'] as const);

/** The same without the partitions, which are dropped with their month. */
const TABLES_BESIDE_MONTHS = [
  'shop_events_other',
  'orders_other',
  'order_places',
  'intents',
] as const;

type TableOfIntents = (typeof TABLES_BESIDE_MONTHS)[number] | ReturnType<typeof tablesOf>[number];

const purgeBefore = (
  db: Kysely<Tables>,
  engine: Engine,
  before: number,
  limit: number,
): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const old = await engine
      .skipLocked(
        transaction
          .selectFrom('intents')
          .select('intent_id')
          .where('created_at', '<', before)
          .orderBy('created_at')
          .limit(limit),
      )
      .execute();
    const tables = engine.hasMonths ? TABLES_BESIDE_MONTHS : tablesOf(engine);
    return deleteIntents(transaction, old, engine, tables);
  });

async function deleteIntents(
  transaction: Transaction<Tables>,
  intents: readonly { intent_id: string }[],
  engine: Engine,
  tables: readonly TableOfIntents[],
): Promise<number> {
  const newest = await intentOfNewestNumber(transaction, engine);
  const ids = intents.map(({ intent_id }) => intent_id).filter((id) => id !== newest);
  if (ids.length === 0) return 0;
  for (const table of tables)
    await transaction.deleteFrom(table).where('intent_id', 'in', ids).execute();
  return ids.length;
}

/**
 * In SQLite the next change gets the number after the highest one in the table, so the row with
 * that number must stay. Otherwise two changes would get the same number, and a list that continues
 * after the first one would miss the second.
 */
async function intentOfNewestNumber(
  transaction: Transaction<Tables>,
  { hasMonths }: Engine,
): Promise<string | undefined> {
  if (hasMonths) return undefined;
  const row = await transaction
    .selectFrom('orders')
    .select('intent_id')
    .where('changed_in', '=', ({ selectFrom }) =>
      selectFrom('orders').select(({ fn }) => fn.max('changed_in').as('newest')),
    )
    .executeTakeFirst();
  return row?.intent_id;
}
