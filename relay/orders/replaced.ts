/** Whether an intent's later order has taken the place of an order. */
import type { OrderRow } from '../ledger/rows.js';

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
