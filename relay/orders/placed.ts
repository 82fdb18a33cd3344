/** An order that was found or placed, with what its page needs of the intent where it is known. */
import type { OrderInIntent } from '../ledger/ledger.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';

/** What decides whether an order is payable: the intent's state and its other orders. */
export type InIntent = Pick<OrderInIntent, 'closed_at' | 'others' | 'paid_request_id'>;

export type Placed = { readonly order: OrderRow; readonly inIntent?: InIntent | undefined };

/**
 * Saves the answer to a pay from reading the intent again, in nearly all cases.
 *
 * @param intent as it was when the order was written
 * @returns undefined unless the order is certainly the intent's only one. A second order would be
 *   the current one, and an order that a restored ledger lost is added only to an intent that takes
 *   no more orders.
 */
export function asOnlyOrder(order: OrderRow, intent: IntentRow | null): InIntent | undefined {
  if (intent?.current_request_id !== order.request_id || order.ordinal !== 1) return undefined;
  if (intent.paid_request_id !== null || intent.closed_at !== null) return undefined;
  return { closed_at: null, others: [], paid_request_id: null };
}
