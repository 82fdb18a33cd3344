/** What was bought, and why it is in review. Only the shop's backend gets this, never a page. */
import { isDecimal, subtractDecimals } from '../contract/decimal.js';
import type { Metadata } from '../contract/metadata.js';
import type { Purchase } from '../contract/responses.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';

/** Whether the payment came after the close; an intent that is paid cannot be closed. */
export const isLatePayment = (
  { closed_at }: Pick<IntentRow, 'closed_at'>,
  { outcome }: Pick<OrderRow, 'outcome'>,
): boolean => closed_at !== null && outcome === 'succeeded';

/**
 * What the service named above the order's amount, or below it with a minus; null where it named no
 * amount, or another currency.
 */
export function differenceOf(
  order: Pick<OrderRow, 'amount' | 'currency' | 'echoed_amount' | 'echoed_currency'>,
): string | null {
  const { amount, currency, echoed_amount, echoed_currency } = order;
  if (echoed_amount === null || (echoed_currency ?? currency) !== currency) return null;
  if (!isDecimal(echoed_amount) || !isDecimal(amount)) return null;
  return subtractDecimals(echoed_amount, amount);
}

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
  ...(order.resolved_as !== null && { resolved_as: order.resolved_as }),
  ...(order.review_reason !== null && { review_reason: order.review_reason }),
  ...(order.echoed_amount !== null && { echoed_amount: order.echoed_amount }),
  ...(order.echoed_currency !== null && { echoed_currency: order.echoed_currency }),
  ...(order.review_reason === 'code_mismatch' &&
    order.code_amount !== null && { code_amount: order.code_amount }),
});
