/** The table of the payments that a person has to pay back. */
import type { ShopEvent } from 'pay-checkout/shop';

/** Knex, or its transaction, on PostgreSQL, the only database of Medusa. */
export type Database = {
  raw(sql: string, values: readonly string[]): PromiseLike<{ rows: readonly unknown[] }>;
};

export const ORDER_CANCELED = 'the order was canceled';

const INSERT_REFUND = `insert into pay_checkout_refunds
  (request_id, intent_id, amount, currency, reason)
  values (?, ?, ?, ?, ?) on conflict (request_id) do nothing`;

/** Writes down a payment that has to be paid back. */
export async function noteRefund(
  database: Database,
  { data }: ShopEvent,
  reason: string,
): Promise<void> {
  const { amount, currency, intent_id, request_id } = data;
  await database.raw(INSERT_REFUND, [request_id, intent_id, amount, currency, reason]);
}

/** A relay whose ledger was restored may call a payment the first that was to be paid back. */
export async function isNoted(database: Database, request_id: string): Promise<boolean> {
  const find = 'select 1 from pay_checkout_refunds where request_id = ?';
  const { rows } = await database.raw(find, [request_id]);
  return rows.length > 0;
}
