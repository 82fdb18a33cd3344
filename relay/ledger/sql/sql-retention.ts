/** Forgetting: in small steps, so that no step holds up a customer. */
import type { Kysely, Transaction } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Tables } from './tables.js';

export const sqlRetention = (db: Kysely<Tables>): Pick<Ledger, 'purge' | 'purgeUnsent'> => ({
  purge: (before, limit) =>
    db.transaction().execute(async (transaction) => {
      const old = await transaction
        .selectFrom('intents')
        .select('intent_id')
        .where('created_at', '<', before)
        .limit(limit)
        .execute();
      return forget(transaction, old);
    }),
  purgeUnsent: (before, limit) =>
    db.transaction().execute(async (transaction) => {
      const unsent = await transaction
        .selectFrom('orders')
        .select('intent_id')
        .where('sending', '=', 'unsent')
        .where('ordinal', '=', 1)
        .where('created_at', '<', before)
        .limit(limit)
        .execute();
      const empty = await transaction
        .selectFrom('intents')
        .select('intent_id')
        .where('current_request_id', 'is', null)
        .where('created_at', '<', before)
        .limit(limit - unsent.length)
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
