/** Closes intents: by the shop, or by a token that supersedes another one. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { CloseRefusal } from '../shop-ledger.js';
import type { IntentRow } from '../rows.js';
import type { Engine } from './engine.js';
import { intentRow } from './intent-table.js';
import type { Tables } from './tables.js';

/** Thrown to roll back a claim whose token may not supersede the other intent. */
export class NotSuperseded extends Error {
  readonly reason: CloseRefusal;
  constructor(reason: CloseRefusal) {
    super(reason);
    this.reason = reason;
  }
}

export const sqlClosing = (db: Kysely<Tables>, engine: Engine): Pick<Ledger, 'closeIntent'> => ({
  closeIntent: (newRow, { at, reason }) =>
    db.transaction().execute(async (transaction) => {
      await touchOrders(transaction, newRow.intent_id, engine);
      await transaction
        .insertInto('intents')
        .values({ ...newRow, closed_at: at, close_reason: reason })
        .onConflict((conflict) =>
          conflict
            .column('intent_id')
            .doUpdateSet({ closed_at: at, close_reason: reason, unpaid_due_at: null })
            .where('intents.paid_request_id', 'is', null)
            .where('intents.closed_at', 'is', null),
        )
        .execute();
      return intentRow(transaction, newRow.intent_id);
    }),
});

/**
 * Closes the intent that a new one supersedes. Nobody else can supersede it from then on.
 *
 * @param newRow inserted when the ledger does not have the superseded intent
 * @param successor the new intent
 * @throws NotSuperseded
 */
export async function supersede(
  transaction: Transaction<Tables>,
  newRow: IntentRow,
  successor: IntentRow,
  engine: Engine,
): Promise<void> {
  const { created_at: at, intent_id: by } = successor;
  await touchOrders(transaction, newRow.intent_id, engine);
  const written = await transaction
    .insertInto('intents')
    .values({ ...newRow, closed_at: at, superseded_by: by })
    .onConflict((conflict) =>
      conflict
        .column('intent_id')
        .doUpdateSet({
          // an intent that the shop closed earlier keeps that time
          closed_at: sql`coalesce(intents.closed_at, ${at})`,
          superseded_by: by,
          unpaid_due_at: null,
        })
        .where('intents.paid_request_id', 'is', null)
        .where((is) =>
          is.or([is('intents.superseded_by', 'is', null), is('intents.superseded_by', '=', by)]),
        ),
    )
    .returning('intent_id')
    .executeTakeFirst();
  if (written) return;
  const { paid_request_id } = await intentRow(transaction, newRow.intent_id);
  throw new NotSuperseded(paid_request_id === null ? 'already_superseded' : 'already_paid');
}

/**
 * Marks the intent's orders as changed, so that other relays answer the pages that wait for them.
 * It locks the orders before the intent, as replaceOrder does, so that the two cannot deadlock.
 */
async function touchOrders(
  transaction: Transaction<Tables>,
  intentId: string,
  engine: Engine,
): Promise<void> {
  await transaction
    .updateTable('orders')
    .set({ changed_in: engine.nextSequence })
    .where('intent_id', '=', intentId)
    .execute();
}
