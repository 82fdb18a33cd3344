/** Closes intents, and inserts new ones. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { GENERATION, type Ledger } from '../ledger.js';
import { GenerationError } from '../ledger-errors.js';
import type { IntentRow } from '../rows.js';
import type { Engine } from './engine.js';
import { intentRow } from './intent-table.js';
import { inMonthOfIntent } from './order-places.js';
import { firstOf, prepared } from './prepared.js';
import type { Tables } from './tables.js';

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

const insert = prepared((db, { intent }: { intent: IntentRow }) =>
  db
    .insertInto('intents')
    .values(intent)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .returning(
      sql<string>`(select value from settings where name = 'generation')`.as('generation'),
    ),
);

/**
 * @returns undefined when the ledger has the intent
 * @throws GenerationError when a newer relay has migrated the ledger
 */
export async function insertIntent(
  transaction: Transaction<Tables>,
  intent: IntentRow,
): Promise<IntentRow | undefined> {
  const inserted = firstOf(await insert(transaction, { intent }));
  if (!inserted) return undefined;
  const { generation, ...row } = inserted;
  if (generation !== String(GENERATION)) throw new GenerationError(generation);
  return row;
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
    .set({ changed_in: engine.nextOrder })
    .where('intent_id', '=', intentId)
    .$if(engine.hasMonths, (query) => query.where(inMonthOfIntent(intentId)))
    .execute();
}
