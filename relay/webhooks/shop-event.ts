/** The events that the shop's backend receives for a change of an order. */
import type { Config } from '../config/schema.js';
import type { Outcome } from '../contract/order.js';
import type { EventsFor } from '../ledger/ledger.js';
import type { EventPlace, IntentRow, OrderRow, ShopEventType } from '../ledger/rows.js';
import { purchase } from './purchase.js';

const BY_OUTCOME: Partial<Record<Outcome, ShopEventType>> = {
  failed: 'order.failed',
  expired: 'order.expired',
  unmapped: 'order.unmapped_status',
  review: 'order.review',
};

type Change = { before: OrderRow; after: OrderRow; at: number };

/** The events to write with a change; none without `shop_events` in the configuration. */
export const shopEventsFor =
  (config: Config, change: Change): EventsFor =>
  (intent, { epoch, sequence }) => {
    if (!config.shop_events) return [];
    const types = shopEventTypes(change, intent.paid_request_id);
    return types.map((type, index) => ({
      event_id: `evt_${crypto.randomUUID()}`,
      intent_id: intent.intent_id,
      sequence: sequence + index,
      type,
      body: eventBody(type, change, intent, {
        place: { epoch, sequence: sequence + index },
        livemode: config.mode === 'live',
      }),
      created_at: change.at,
    }));
  };

/**
 * The types of the events for a change.
 *
 * @param paidFirst the request_id of the intent's first paid order
 */
export function shopEventTypes(
  { before, after }: Omit<Change, 'at'>,
  paidFirst: string | null,
): ShopEventType[] {
  const types: ShopEventType[] = [];
  if (wasPlaced(before, after)) types.push('order.created');
  if (before.resolved_as === null && after.resolved_as !== null) types.push('order.resolved');
  if (after.outcome === 'succeeded' && before.outcome !== 'succeeded')
    types.push(paidFirst === after.request_id ? 'order.succeeded' : 'order.duplicate_payment');
  else if (isNewReview(before, after)) types.push('order.review');
  else types.push(...byOutcome(before, after));
  return types;
}

/** An order is created when its claim was sent; a claim that was never sent is no order yet. */
const wasPlaced = (before: OrderRow, after: OrderRow): boolean =>
  before.sending === 'claimed' &&
  before.outcome === 'pending' &&
  after.sending !== 'claimed' &&
  after.sending !== 'unsent';

/** A first reason for a review, or another status during the review. */
function isNewReview(before: OrderRow, after: OrderRow): boolean {
  if (after.review_reason === null) return false;
  if (before.review_reason === null) return true;
  return after.outcome === 'review' && after.status !== before.status;
}

function byOutcome(before: OrderRow, after: OrderRow): ShopEventType[] {
  const type = BY_OUTCOME[after.outcome];
  if (type === undefined || type === 'order.review') return [];
  const another = after.outcome === 'unmapped' && after.status !== before.status;
  return after.outcome !== before.outcome || another ? [type] : [];
}

function eventBody(
  type: ShopEventType,
  { after, at }: Change,
  intent: IntentRow,
  { livemode, place }: { livemode: boolean; place: EventPlace },
): string {
  const { intent_id, late, open_amount, order_no, outcome, request_id, status } = after;
  const data = {
    intent_id,
    request_id,
    order_no,
    outcome,
    status,
    late,
    open_amount,
    livemode,
    ...purchase(intent, after),
    ...place,
    ...(type === 'order.duplicate_payment' && { first_request_id: intent.paid_request_id }),
    ...(after.resolved_as !== null && { resolved_as: after.resolved_as }),
  };
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}
