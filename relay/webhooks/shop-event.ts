/** The events that the shop's backend receives for a change of an order. */
import type { Config } from '../config/schema.js';
import type { ShopEventType } from '../contract/shop-events.js';
import type { Outcome } from '../contract/order.js';
import type { Trace } from '../contract/trace.js';
import {
  isPaidLate,
  type EventPosition,
  type IntentRow,
  type NewShopEvent,
  type OrderRow,
} from '../ledger/rows.js';
import { differenceOf, purchase } from './purchase.js';

const BY_OUTCOME: Partial<Record<Outcome, ShopEventType>> = {
  failed: 'order.failed',
  expired: 'order.expired',
  unmapped: 'order.unmapped_status',
  review: 'order.review',
};

type Change = {
  before: OrderRow;
  after: OrderRow;
  at: number;
  /** Of the request that causes the change. */
  trace?: Trace | undefined;
};

/**
 * The events to write with a change. With `shop_events` they are delivered, and with `secret_key`
 * they can be listed. Without both settings nobody could read them, so none are written.
 *
 * @param intent after the change: its first payment is recorded
 */
export function shopEventsFor(
  config: Config,
  change: Change,
  intent: IntentRow,
  { epoch, sequence }: EventPosition,
): NewShopEvent[] {
  if (!config.shop_events && !config.secret_key) return [];
  return shopEventTypes(change, intent).map((type, index) =>
    shopEvent(config, type, intent, {
      order: change.after,
      at: change.at,
      trace: change.trace,
      position: { epoch, sequence: sequence + index },
    }),
  );
}

type About = {
  order: OrderRow;
  at: number;
  position: EventPosition;
  trace?: Trace | undefined;
  /** For `order.unpaid`: the relay's page with the order. */
  resume_url?: string;
};

/** Makes one event, which is due at once when the configuration has a receiver. */
export const shopEvent = (
  config: Pick<Config, 'mode' | 'shop_events'>,
  type: ShopEventType,
  intent: IntentRow,
  about: About,
): NewShopEvent => ({
  event_id: `evt_${crypto.randomUUID()}`,
  intent_id: intent.intent_id,
  sequence: about.position.sequence,
  type,
  body: eventBody(type, intent, about, config.mode === 'live'),
  created_at: about.at,
  next_try_at: config.shop_events ? about.at : null,
  // a page or backend may not wait any more when the schedule sees what became of its pay
  traceparent: about.trace?.traceparent ?? about.order.traceparent,
});

/**
 * The types of the events for a change.
 *
 * @param intent after the change: its first payment is recorded
 */
export function shopEventTypes(
  { before, after }: Pick<Change, 'before' | 'after'>,
  { closed_at, paid_request_id }: Pick<IntentRow, 'closed_at' | 'paid_request_id'>,
): ShopEventType[] {
  const types: ShopEventType[] = [];
  if (wasPlaced(before, after)) types.push('order.created');
  if (isReviewEnded(before, after)) types.push('order.resolved');
  if (after.outcome === 'succeeded' && before.outcome !== 'succeeded')
    types.push(
      paid_request_id === after.request_id ? firstPayment(closed_at) : 'order.duplicate_payment',
    );
  else if (isNewReview(before, after)) types.push('order.review');
  else types.push(...byOutcome(before, after));
  return types;
}

/** A shop that closed the intent no longer sells it, so it must refund instead of delivering. */
const firstPayment = (closedAt: number | null): ShopEventType =>
  closedAt === null ? 'order.succeeded' : 'order.late_payment';

/** An order counts as created when its request was sent; a claim alone is no order yet. */
const wasPlaced = (before: OrderRow, after: OrderRow): boolean =>
  before.sending === 'claimed' &&
  before.outcome === 'pending' &&
  after.sending !== 'claimed' &&
  after.sending !== 'unsent';

/** Whether the change begins a review, or brings another status while a person must look. */
export const isNewReview = (before: OrderRow, after: OrderRow): boolean =>
  after.review_reason !== null && (before.review_reason === null || after.status !== before.status);

/** Only a person's decision takes the reason away, or decides about an unmapped order. */
export const isReviewEnded = (before: OrderRow, after: OrderRow): boolean =>
  (before.review_reason !== null && after.review_reason === null) ||
  (before.outcome === 'unmapped' && after.resolved_as !== null);

function byOutcome(before: OrderRow, after: OrderRow): ShopEventType[] {
  const type = BY_OUTCOME[after.outcome];
  if (type === undefined || type === 'order.review') return [];
  const isOtherStatus = after.outcome === 'unmapped' && after.status !== before.status;
  return after.outcome !== before.outcome || isOtherStatus ? [type] : [];
}

function eventBody(
  type: ShopEventType,
  intent: IntentRow,
  { at, order, position, resume_url }: About,
  livemode: boolean,
): string {
  const { intent_id, open_amount, order_no, outcome, request_id, status } = order;
  const difference = type === 'order.resolved' ? differenceOf(order) : null;
  const data = {
    intent_id,
    request_id,
    order_no,
    outcome,
    status,
    late: isPaidLate(order),
    open_amount,
    livemode,
    ...purchase(intent, order),
    ...position,
    ...(type === 'order.duplicate_payment' && { first_request_id: intent.paid_request_id }),
    ...(difference !== null && { difference }),
    ...(resume_url !== undefined && { resume_url }),
  };
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}
