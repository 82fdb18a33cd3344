/** What was bought, and why it is in review. Only the shop's backend gets this, never a page. */
import type { Metadata } from '../contract/metadata.js';
import type { Purchase } from '../contract/responses.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';

/** Whether the payment came after the close; an intent that is paid cannot be closed. */
export const isLatePayment = (
  { closed_at }: Pick<IntentRow, 'closed_at'>,
  { outcome }: Pick<OrderRow, 'outcome'>,
): boolean => closed_at !== null && outcome === 'succeeded';

export const parseMetadata = (json: string): Metadata => JSON.parse(json) as Metadata;

/** Amount and currency are the order's: a catalogue price may change between two orders. */
export const purchase = (intent: IntentRow, order: OrderRow): Purchase => ({
  mode: intent.mode,
  amount: order.amount,
  currency: order.currency,
  product_name: intent.product_name,
  customer_ref_id: intent.customer_ref_id,
  ...(intent.sku !== null && { sku: intent.sku }),
  ...(intent.quantity !== null && { quantity: intent.quantity }),
  ...(intent.metadata !== null && { metadata: parseMetadata(intent.metadata) }),
  ...(intent.closed_at !== null && { closed_at: new Date(intent.closed_at).toISOString() }),
  ...(isLatePayment(intent, order) && { late_payment: true }),
  ...(order.review_reason !== null && { review_reason: order.review_reason }),
  ...(order.echoed_amount !== null && { echoed_amount: order.echoed_amount }),
  ...(order.echoed_currency !== null && { echoed_currency: order.echoed_currency }),
});
