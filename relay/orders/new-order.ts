/**
 * The rows of an intent and of an order when they are first written. In each literal the spread
 * comes last: V8 takes fifty times longer for an object that gets a dozen fields after a spread.
 */
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { Customer } from '../contract/requests.js';
import type { Trace } from '../contract/trace.js';
import { contentDigest, type OrderIntent } from '../intent/order-intent.js';
import {
  newIntentFields,
  newOrderFields,
  type IntentRow,
  type OrderRow,
  type Stamp,
} from '../ledger/rows.js';

export type IdentifiedIntent = OrderIntent & { readonly intent_id: string };

/** @param unpaid_due_at aging time at which the intent is reported when nobody paid it */
export function newIntent(
  intent: IdentifiedIntent,
  now: number,
  unpaid_due_at: number | null,
): IntentRow {
  const {
    expired: _,
    identity_fields: _fields,
    options: _options,
    stale: _stale,
    metadata,
    ...kept
  } = intent;
  return {
    metadata: metadata === null ? null : JSON.stringify(metadata),
    content: contentDigest(intent),
    created_at: now,
    unpaid_due_at,
    ...newIntentFields,
    ...kept,
  };
}

type Placing = {
  customer?: Customer | undefined;
  option: PaymentOptionConfig;
  trace?: Trace | undefined;
};

export type OrderIdentity = Pick<OrderRow, 'request_id' | 'ordinal'> & Stamp;

/**
 * The row of an order to claim, at the present price, which may differ from the intent's first one.
 * The claim sets its `next_check_at` (send-pay.ts).
 */
export const newOrder = (
  { amount, currency, intent_id, mode, pay_currency }: IdentifiedIntent,
  { customer, option, trace }: Placing,
  { aged_from, created_at, ordinal, request_id }: OrderIdentity,
): OrderRow => ({
  request_id,
  intent_id,
  ordinal,
  option: option.id,
  amount,
  currency,
  pay_currency: option.pay_currency ?? pay_currency ?? currency,
  open_amount: mode === 'open',
  traceparent: trace?.traceparent ?? null,
  had_customer: customer !== undefined && Object.keys(customer).length > 0,
  created_at,
  aged_from,
  expires_at:
    option.expires_after_s === undefined ? null : created_at + option.expires_after_s * 1000,
  next_check_at: null,
  ...newOrderFields,
});
