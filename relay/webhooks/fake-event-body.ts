/**
 * The bodies of fake events: their orders do not exist, and a shop tests its receiver with them.
 */
import type { Config } from '../config/schema.js';
import type { Outcome } from '../contract/order.js';
import type { ShopEventType } from '../contract/shop-events.js';
import { newOrderFields, unknownIntent, type IntentRow, type OrderRow } from '../ledger/rows.js';
import { shopEvent } from './shop-event.js';

/** The fields of the order by the type of its event. */
export const FAKE_ORDERS: Readonly<
  Record<ShopEventType, Partial<OrderRow> & { outcome: Outcome }>
> = {
  'order.created': { outcome: 'pending', status: 11 },
  'order.succeeded': { outcome: 'succeeded', status: 20 },
  'order.failed': { outcome: 'failed', status: 30 },
  'order.expired': { outcome: 'expired', status: 40 },
  'order.unmapped_status': { outcome: 'unmapped', status: 99 },
  'order.review': { outcome: 'review', status: 20, review_reason: 'amount_mismatch' },
  'order.resolved': { outcome: 'succeeded', status: 20, resolved_as: 'succeeded' },
  'order.duplicate_payment': { outcome: 'succeeded', status: 20 },
  'order.late_payment': { outcome: 'succeeded', status: 20 },
  'order.unpaid': { outcome: 'pending', status: 11 },
};

type FakeSale = {
  intentId: string;
  amount: string;
  currency: string;
  /** By default a new one. */
  requestId?: string;
  /** By default now. */
  at?: number;
};

/** @returns the JSON that is signed and sent */
export function fakeEventBody(
  config: Pick<Config, 'mode' | 'public_url' | 'shop_events'>,
  type: ShopEventType,
  {
    amount,
    at = Date.now(),
    currency,
    intentId,
    requestId: request_id = crypto.randomUUID().replaceAll('-', '').slice(0, 26),
  }: FakeSale,
): string {
  const terms = { amount, currency, pay_currency: currency };
  const intent: IntentRow = {
    ...unknownIntent(intentId, at),
    ...terms,
    product_name: 'A made order',
    customer_ref_id: 'test-customer',
    closed_at: type === 'order.late_payment' ? at : null,
    paid_request_id: type === 'order.duplicate_payment' ? `${request_id.slice(0, -1)}0` : null,
  };
  const order: OrderRow = {
    ...newOrderFields,
    ...terms,
    request_id,
    intent_id: intentId,
    ordinal: 1,
    option: 'card',
    order_no: `P${at}`,
    open_amount: false,
    traceparent: null,
    had_customer: false,
    // a review is about an amount that differs
    echoed_amount: type === 'order.review' ? `1${amount}` : amount,
    echoed_currency: currency,
    created_at: at,
    aged_from: at,
    checked_at: at,
    expires_at: null,
    next_check_at: null,
    ...FAKE_ORDERS[type],
  };
  const resume_url = `${config.public_url}/r#${request_id}~test`;
  return shopEvent(config, type, intent, {
    order,
    at,
    // a receiver would take a later event with the same number for one that comes late
    position: {
      sequence: type === 'order.created' ? 1 : 2,
      epoch: '00000000-0000-4000-8000-000000000000',
    },
    ...(type === 'order.unpaid' && { resume_url }),
  }).body;
}
