/** Finds the order of an intent that counts now, and whether a later order replaced an order. */
import type { OrderRow } from './rows.js';

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
export const standingOrder = <T extends Place>(orders: readonly T[]): T | undefined =>
  orders.findLast(({ sending }) => sending !== 'unsent');
