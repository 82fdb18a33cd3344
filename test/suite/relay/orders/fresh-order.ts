/** An order that was just claimed, its intent, and rules with a small table of statuses. */
import {
  newOrderFields,
  unknownIntent,
  type IntentRow,
  type OrderRow,
  type Stamp,
} from '../../../../relay/ledger/rows.js';
import type { OrderEvent, Rules, Transition } from '../../../../relay/orders/order-event.js';
import { transition as applyEvent } from '../../../../relay/orders/order-state.js';

export const rules: Rules = {
  statuses: { '20': 'succeeded', '30': 'failed', '40': 'expired' },
  links: { hosts: ['pay.example'], schemes: [] },
  codes: new Map(),
  requireEcho: false,
  resendAfterS: null,
  followDays: 3,
  claimMs: 12_000,
};
export const fresh: OrderRow = {
  ...newOrderFields,
  request_id: 'r1',
  intent_id: 'i1',
  ordinal: 1,
  option: 'qr',
  amount: '12.50',
  currency: 'USD',
  pay_currency: 'USD',
  open_amount: false,
  traceparent: null,
  had_customer: false,
  created_at: 0,
  aged_from: 0,
  expires_at: null,
  next_check_at: 12_000,
};
/** The ages of orders at a time, when no clock has stepped. */
export const agesAt =
  (now: number) =>
  ({ created_at }: Stamp): number | null =>
    created_at > now ? null : now - created_at;
/** An event to apply; the order's age is that by the event's time, unless the test names one. */
export type TestEvent = OrderEvent & { ageMs?: number | null };
export const transition = (order: OrderRow, event: TestEvent, using: Rules): Transition =>
  applyEvent(order, { ageMs: event.at - order.created_at, ...event }, using);
/** The names of an order, which find it in the ledger. */
export const ref = (request_id: string, intent_id = 'i1') => ({ intent_id, request_id });
export const freshIntent: IntentRow = {
  ...unknownIntent('i1', 0),
  mode: 'open',
  content: 'digest',
  amount: '12.50',
  currency: 'USD',
  product_name: 'A tree',
  customer_ref_id: 'c',
};
