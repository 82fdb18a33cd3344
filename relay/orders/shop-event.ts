/** Which events a change of an order means for the shop (design §6.5, §6.6), and what they say. */
import type { Outcome } from '../contract/order.js';
import type { NewShopEvent, OrderRow, ShopEventType } from '../ledger/rows.js';

const BY_OUTCOME: Partial<Record<Outcome, ShopEventType>> = {
  failed: 'order.failed',
  expired: 'order.expired',
  unmapped: 'order.unmapped_status',
  review: 'order.review',
};

/** @param paidFirst the request_id of the intent's first paid order */
export function shopEventTypes(
  before: OrderRow,
  after: OrderRow,
  paidFirst: string | null,
): ShopEventType[] {
  const types: ShopEventType[] = [];
  // a claim that was sent for the first time; one that never reached the service is no order yet
  if (
    before.sending === 'claimed' &&
    before.outcome === 'pending' &&
    after.sending !== 'claimed' &&
    after.sending !== 'unsent'
  )
    types.push('order.created');
  if (after.outcome === 'succeeded') {
    if (before.outcome !== 'succeeded')
      types.push(paidFirst === after.request_id ? 'order.succeeded' : 'order.duplicate_payment');
    else if (
      after.review_reason === 'status_after_success' &&
      before.review_reason !== 'status_after_success'
    )
      types.push('order.review');
    return types;
  }
  const type = BY_OUTCOME[after.outcome];
  const another = after.outcome === 'unmapped' && after.status !== before.status;
  if (type && (after.outcome !== before.outcome || another)) types.push(type);
  return types;
}

export function writeShopEvent(
  type: ShopEventType,
  order: OrderRow,
  at: number,
  { livemode, paidFirst }: { livemode: boolean; paidFirst: string | null },
): NewShopEvent {
  const { amount, currency, intent_id, late, open_amount, order_no, outcome, request_id, status } =
    order;
  const both = type === 'order.duplicate_payment' ? { first_request_id: paidFirst } : {};
  const unmapped = type === 'order.unmapped_status' ? { status } : {};
  const data = {
    intent_id,
    request_id,
    order_no,
    amount,
    currency,
    outcome,
    late,
    open_amount,
    livemode,
    ...both,
    ...unmapped,
  };
  return {
    event_id: `evt_${crypto.randomUUID()}`,
    intent_id,
    type,
    body: JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }),
    created_at: at,
  };
}
