/** Forgetting: in small steps, so that no step holds up a customer. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Engine } from './engine.js';
import type { Tables } from './tables.js';

/**
 * What is chosen is locked until it is deleted: an order that was never sent may be claimed anew
 * at the same moment, and a claimed order must not be forgotten. The oldest come first, for
 * without an order PostgreSQL would walk over all that was deleted before, at every step.
 */
export const sqlRetention = (
  db: Kysely<Tables>,
  engine: Engine,
): Pick<Ledger, 'purge' | 'purgeUnsent'> => ({
  purge: (before, limit) =>
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
      return forget(transaction, old);
    }),
  purgeUnsent: (before, limit) =>
    db.transaction().execute(async (transaction) => {
      const unsent = await engine
        .skipLocked(
          transaction
            .selectFrom('orders')
            .select('intent_id')
            // as they stand in the index: SQLite does not use it for values that are bound later
            .where('sending', '=', sql.lit('unsent'))
            .where('ordinal', '=', sql.lit(1))
            .where('created_at', '<', before)
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
            .where('created_at', '<', before)
            .orderBy('created_at')
            .limit(limit - unsent.length),
        )
        .execute();
      return forget(transaction, [...unsent, ...empty]);
    }),
});

async function forget(
  transaction: Transaction<Tables>,
  intents: readonly { intent_id: string }[],
): Promise<number> {
  const ids = intents.map(({ intent_id }) => intent_id);
  if (ids.length === 0) return 0;
  for (const table of ['shop_events', 'attempts', 'orders', 'intents'] as const)
    await transaction.deleteFrom(table).where('intent_id', 'in', ids).execute();
  return ids.length;
}
