/** Which order an intent has, and whether a later order has taken the place of another. */
import type { OrderRow } from './rows.js';

type Place = Pick<OrderRow, 'ordinal' | 'sending'>;

/**
 * A page must not show how to pay a replaced order: the customer would pay twice. An order of which
 * nothing was sent replaces none.
 *
 * @param others the other orders of the intent
 */
export const isReplaced = (
  { ordinal }: Pick<Place, 'ordinal'>,
  others: readonly Place[],
): boolean => others.some((other) => other.ordinal > ordinal && other.sending !== 'unsent');

/**
 * The order that an intent has. An order of which nothing was sent does not count: the customer may
 * still pay the one before it, so a page must show that one, and a pay must name it to replace it.
 *
 * @param orders of the intent, the first one first
 */
export const standingOrder = <T extends Place>(orders: readonly T[]): T | undefined =>
  orders.findLast(({ sending }) => sending !== 'unsent');
