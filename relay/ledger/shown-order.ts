/** Finds the order of an intent that counts: the paid one, one in review, or the last one sent. */
import type { Config } from '../config/schema.js';
import { isCalledPaid } from '../config/statuses.js';
import type { Outcome } from '../contract/order.js';
import { waitsAs, type Intent, type OrderInIntent } from './intent.js';
import type { OrderRow, PayBackReason } from './rows.js';

type Place = Pick<OrderRow, 'ordinal' | 'sending'>;

/**
 * Whether a later order has replaced this one. A page must not show how to pay a replaced order:
 * the customer would pay twice. A later order of which nothing was sent does not count.
 *
 * @param orders of the intent
 */
export const isReplaced = (
  { ordinal }: Pick<Place, 'ordinal'>,
  orders: readonly Place[],
): boolean => orders.some((other) => other.ordinal > ordinal && other.sending !== 'unsent');

/**
 * Whether the order stays replaced: of a later one that is only claimed, it may turn out that
 * nothing was sent.
 */
export const staysReplaced = (
  { ordinal }: Pick<Place, 'ordinal'>,
  orders: readonly (Place & Pick<OrderRow, 'lost_at'>)[],
): boolean =>
  orders.some(
    ({ lost_at, ordinal: other, sending }) =>
      other > ordinal && (lost_at !== null || (sending !== 'claimed' && sending !== 'unsent')),
  );

/**
 * The intent's last order of which anything was sent. The customer may still pay it when nothing of
 * a later order was sent, so a page must show it, and a pay must name it to replace it.
 */
export const lastSentOrder = ({ orders }: Pick<Intent, 'orders'>): OrderRow | null =>
  orders.findLast(({ sending }) => sending !== 'unsent') ?? null;

/**
 * The order that paid the intent. Another order may be paid too, before it or after it by ordinal:
 * that is a duplicate payment, which the shop refunds.
 */
export const paidOrder = ({
  orders,
  paid_request_id,
}: Pick<Intent, 'orders' | 'paid_request_id'>): OrderRow | null =>
  orders.find(({ request_id }) => request_id === paid_request_id) ??
  // no further order may be placed, whatever the intent says
  orders.find(({ outcome }) => outcome === 'succeeded') ??
  null;

/** Whether the order was paid after a person resolved it as failed: nothing is delivered for it. */
export const isPaidAfterRefusal = ({
  outcome,
  resolved_as,
}: Pick<OrderRow, 'outcome' | 'resolved_as'>): boolean =>
  outcome === 'succeeded' && resolved_as === 'failed';

/**
 * Whether a person resolved the order as failed, and the service says that it is paid: it said so
 * before the decision or after it.
 */
export const isRefusedPayment = (
  { statuses }: Pick<Config, 'statuses'>,
  order: Pick<OrderRow, 'first_status' | 'resolved_as' | 'status'>,
): boolean => order.resolved_as === 'failed' && isCalledPaid(statuses, order);

/**
 * Why a payment must be given back; null when it pays for its intent, nothing is paid, or a person
 * must decide first.
 */
export function payBackReason(
  config: Pick<Config, 'statuses'>,
  { intent, order }: OrderInIntent,
): PayBackReason | null {
  if (isPaidInReview(config, order)) return null;
  if (isPaidAfterRefusal(order) || isRefusedPayment(config, order)) return 'resolved_as_failed';
  if (order.outcome !== 'succeeded') return null;
  if (paidOrder(intent)?.request_id !== order.request_id) return 'duplicate_payment';
  return intent.closed_at === null ? null : 'late_payment';
}

/**
 * Whether a person must decide about the order's payment. After a decision, an answer about another
 * order says nothing new about it.
 */
const isPaidInReview = ({ statuses }: Pick<Config, 'statuses'>, order: OrderRow): boolean =>
  order.outcome !== 'succeeded' &&
  waitsAs(order) === 'review' &&
  !(order.resolved_as !== null && order.review_reason === 'request_id_mismatch') &&
  isCalledPaid(statuses, order);

/**
 * The order about whose payment a person must decide. Until then the intent must not be closed,
 * takes no other order, and no order of it may be paid: the customer has probably paid, and would
 * pay twice.
 */
export const paidInReview = (
  config: Pick<Config, 'statuses'>,
  { orders }: Pick<Intent, 'orders'>,
): OrderRow | null => orders.find((order) => isPaidInReview(config, order)) ?? null;

/**
 * What a page, a backend and an operator are told. Of an unsent order nothing reached the service,
 * so nobody can pay it, and a waiting customer may choose a way to pay again.
 */
export const shownOutcome = ({
  outcome,
  sending,
}: Pick<OrderRow, 'outcome' | 'sending'>): Outcome => (sending === 'unsent' ? 'failed' : outcome);

/** The order that a page sees; null when nothing of the intent was ever sent. */
export const shownOrder = (
  config: Pick<Config, 'statuses'>,
  intent: Pick<Intent, 'orders' | 'paid_request_id'>,
): OrderRow | null => paidOrder(intent) ?? paidInReview(config, intent) ?? lastSentOrder(intent);
