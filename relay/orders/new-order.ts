/** The rows of an intent and of an order as they are first written. */
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { Customer } from '../contract/requests.js';
import { contentDigest, type OrderIntent } from '../intent/order-intent.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';

export type IdentifiedIntent = OrderIntent & { intentId: string };

export const newIntent = async (intent: IdentifiedIntent, now: number): Promise<IntentRow> => ({
  intent_id: intent.intentId,
  mode: intent.mode,
  content: await contentDigest(intent),
  amount: intent.amount,
  currency: intent.currency,
  product_name: intent.productName,
  customer_ref_id: intent.customerRefId,
  pay_currency: intent.payCurrency,
  remark: intent.remark,
  return_url: intent.returnUrl,
  sku: intent.sku,
  quantity: intent.quantity,
  created_at: now,
  current_request_id: null,
  paid_request_id: null,
  event_count: 0,
});

type Place = { request_id: string; ordinal: number; now: number; claimMs: number };

/** Amount and currency are those of today: a catalogue price may have changed since the first. */
export const newOrder = (
  { amount, currency, intentId, mode }: IdentifiedIntent,
  { customer, option }: { customer?: Customer | undefined; option: PaymentOptionConfig },
  { claimMs, now, ordinal, request_id }: Place,
): OrderRow => ({
  request_id,
  intent_id: intentId,
  ordinal,
  option: option.id,
  amount,
  currency,
  open_amount: mode === 'open',
  had_customer: customer !== undefined && Object.keys(customer).length > 0,
  sending: 'claimed',
  order_no: null,
  first_status: null,
  status: null,
  outcome: 'pending',
  review_reason: null,
  resolved_as: null,
  echoed_amount: null,
  echoed_currency: null,
  next_action: null,
  late: false,
  created_at: now,
  checked_at: null,
  expires_at: option.expires_after_s === undefined ? null : now + option.expires_after_s * 1000,
  lost_at: null,
  next_check_at: now + claimMs,
  version: 1,
});
