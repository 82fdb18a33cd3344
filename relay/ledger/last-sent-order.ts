/** Finds the orders of an intent that count: the paid one, and the last one that was sent. */
import type { IntentRow, OrderRow } from './rows.js';

type Place = Pick<OrderRow, 'ordinal' | 'sending'>;

/**
 * Whether a later order has replaced this one. A page must not show how to pay a replaced order:
 * the customer would pay twice. A later order of which nothing was sent does not count.
 *
 * @param others the other orders of the intent
 */
export const isReplaced = (
  { ordinal }: Pick<Place, 'ordinal'>,
  others: readonly Place[],
): boolean => others.some((other) => other.ordinal > ordinal && other.sending !== 'unsent');

/**
 * The intent's last order of which anything was sent. The customer may still pay it when nothing of
 * a later order was sent, so a page must show it, and a pay must name it to replace it.
 *
 * @param orders of the intent, the first one first
 */
export const lastSentOrder = <T extends Place>(orders: readonly T[]): T | undefined =>
  orders.findLast(({ sending }) => sending !== 'unsent');

/**
 * The order that paid the intent. Another order may be paid too, before it or after it by ordinal:
 * that is a duplicate payment, which the shop refunds.
 *
 * @param orders of the intent
 */
export const paidOrder = <T extends Pick<OrderRow, 'outcome' | 'request_id'>>(
  { paid_request_id }: Pick<IntentRow, 'paid_request_id'>,
  orders: readonly T[],
): T | undefined =>
  orders.find(({ request_id }) => request_id === paid_request_id) ??
  // no further order may be placed, whatever the intent says
  orders.find(({ outcome }) => outcome === 'succeeded');
