/**
 * Where an order is in the monthly partitions of PostgreSQL. Without these conditions a statement
 * would read the indexes of all months.
 */
import {
  sql,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  type RawBuilder,
} from 'kysely';
import type { OrderToWrite } from './order-table.js';
import type { Tables } from './tables.js';

/** Limits a statement on `orders` to the month of one order. */
export const inMonthOfOrder = (requestId: string): RawBuilder<boolean> =>
  sql`orders.intent_created_at =
    (select place.intent_created_at from order_places as place
      where place.request_id = ${requestId})`;

/** Limits a statement on `orders` to the month of one intent. */
export const inMonthOfIntent = (intentId: string): RawBuilder<boolean> =>
  sql`orders.intent_created_at = ${createdAtOf(intentId)}`;

/** Limits a statement to the months of rows that were read before. */
export const inMonthsOf = (
  rows: readonly { readonly intent_created_at?: number | undefined }[],
): RawBuilder<boolean> =>
  sql`intent_created_at in (${sql.join([...new Set(rows.map((row) => row.intent_created_at))])})`;

/** The partition of an intent's orders and events. */
export const createdAtOf = (intentId: string): RawBuilder<number> =>
  sql`(select intents.created_at from intents where intents.intent_id = ${intentId})`;

type Place = Pick<OrderToWrite, 'request_id' | 'intent_id' | 'ordinal'>;

/** Inserts an order's identity, which is unique in the whole ledger. */
export const insertPlace = (
  db: Kysely<Tables>,
  { intent_id, ordinal, request_id }: Place,
): InsertQueryBuilder<Tables, 'order_places', InsertResult> =>
  db.insertInto('order_places').values({
    request_id,
    intent_id,
    ordinal,
    intent_created_at: createdAtOf(intent_id),
  });

/** @returns false when the ledger has the order, or another order with its ordinal */
export async function insertPlaceOnce(db: Kysely<Tables>, place: Place): Promise<boolean> {
  const added = await insertPlace(db, place)
    .onConflict((conflict) => conflict.doNothing())
    .returning('request_id')
    .executeTakeFirst();
  return added !== undefined;
}
