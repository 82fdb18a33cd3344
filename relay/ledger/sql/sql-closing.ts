/** Closes intents: by the shop, or by a token that supersedes another token. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { GENERATION, type Ledger } from '../ledger.js';
import { GenerationError } from '../ledger-errors.js';
import { firstRefusal, type CloseRefusal } from '../shop-ledger.js';
import type { IntentRow } from '../rows.js';
import type { Engine } from './engine.js';
import { intentRow } from './intent-table.js';
import { inMonthOfIntent } from './order-places.js';
import { firstOf, prepared } from './prepared.js';
import type { Tables } from './tables.js';

/** Thrown to roll back a claim, with the intents that it closed, because its intent is not new. */
export class KnownIntent extends Error {}

/** Thrown to roll back a claim, because an intent that its token names must not be superseded. */
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
 * Inserts a new intent and closes those that it supersedes, all in the order of their ids: relays
 * that locked the same intents in different orders would deadlock.
 *
 * @param formers rows of the superseded intents, in case the ledger does not have them
 * @throws KnownIntent when the intent is not new
 * @throws NotSuperseded
 */
export async function openSuperseding(
  transaction: Transaction<Tables>,
  opened: IntentRow,
  formers: readonly IntentRow[],
  engine: Engine,
): Promise<IntentRow> {
  const by = [opened, ...formers].map(({ intent_id }) => intent_id);
  const refusals: (CloseRefusal | null)[] = [];
  const sorted = [opened, ...formers].sort((a, b) => (a.intent_id < b.intent_id ? -1 : 1));
  for (const row of sorted)
    if (row !== opened)
      refusals.push(await supersede(transaction, row, opened.created_at, by, engine));
    else if (!(await insertIntent(transaction, opened))) throw new KnownIntent();
  const refused = firstRefusal(refusals);
  if (refused) throw new NotSuperseded(refused);
  return opened;
}

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
 * Closes a superseded intent. From then on no intent but those in `by` can supersede it.
 *
 * @param by the new intent, and the others that it supersedes: one of them may have closed this one
 * @returns why the intent cannot be superseded, or null
 */
async function supersede(
  transaction: Transaction<Tables>,
  newRow: IntentRow,
  at: number,
  by: readonly string[],
  engine: Engine,
): Promise<CloseRefusal | null> {
  const successor = by[0] ?? null;
  await touchOrders(transaction, newRow.intent_id, engine);
  const written = await transaction
    .insertInto('intents')
    .values({ ...newRow, closed_at: at, superseded_by: successor })
    .onConflict((conflict) =>
      conflict
        .column('intent_id')
        .doUpdateSet({
          // an intent that is closed already keeps its time and its successor
          closed_at: sql`coalesce(intents.closed_at, ${at})`,
          superseded_by: sql`coalesce(intents.superseded_by, ${successor})`,
          unpaid_due_at: null,
        })
        // a payment after the close is refunded, so it does not prevent the new intent
        .where((is) =>
          is.or([
            is('intents.paid_request_id', 'is', null),
            is('intents.closed_at', 'is not', null),
          ]),
        )
        .where((is) =>
          is.or([
            is('intents.superseded_by', 'is', null),
            is('intents.superseded_by', 'in', [...by]),
          ]),
        ),
    )
    .returning('intent_id')
    .executeTakeFirst();
  if (written) return null;
  const { closed_at } = await intentRow(transaction, newRow.intent_id);
  return closed_at === null ? 'already_paid' : 'already_superseded';
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
