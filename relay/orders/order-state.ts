/** The money rules, pure: an order and an event give the changed order and what to do next. */
import { isCalledPaid, readStatus } from '../config/statuses.js';
import { needsPerson, type OrderRow, type Resolution } from '../ledger/rows.js';
import { isPaidAfterRefusal } from '../ledger/shown-order.js';
import type { Rules, ServiceOrder, TimedEvent, Transition } from './order-event.js';
import { interval, nextCheck } from './polling/schedule.js';
import { closeRefused, readAnswer, succeed } from './read-answer.js';

/**
 * Applies one event to an order.
 *
 * @returns an order whose version is one above the version of the order that was read. It stays the
 *   same when the event says nothing new, and while the order stays claimed: a claim ends with its
 *   version.
 */
export function transition(order: OrderRow, event: TimedEvent, rules: Rules): Transition {
  const { ageMs } = event;
  const next: OrderRow = {
    ...order,
    version: order.version + 1,
    next_check_at: isAtRest(order)
      ? null
      : nextCheck(ageMs, event.at, rules.followDays, order.followed_again_ms),
    has_expired: order.has_expired || isPastEnd(order, ageMs),
  };
  /** For an event that says nothing new about the order: claim and schedule stay as they are. */
  const unchanged: Transition = {
    order: { ...order, has_expired: next.has_expired },
    effects: [],
  };
  if ('claim' in event && event.claim !== undefined && !isOfClaim(order, event.claim))
    return unchanged;

  switch (event.type) {
    case 'pay_unsent':
      // an earlier request of this order was lost, and may have reached the service
      if (order.lost_at !== null) return { order: { ...next, sending: 'lost' }, effects: [] };
      return { order: { ...next, sending: 'unsent', next_check_at: null }, effects: [] };

    case 'pay_lost':
      if (order.sending !== 'claimed') return unchanged;
      return {
        order: { ...next, sending: 'lost', outcome: 'confirming', lost_at: event.at },
        effects: ['query_now'],
      };

    case 'pay_refused': {
      const outcome = order.status === null ? 'confirming' : order.outcome;
      return { order: { ...next, sending: 'refused', outcome }, effects: ['query_now'] };
    }

    case 'pay_answered': {
      const first_status = order.first_status ?? event.answer.status ?? null;
      return { order: readAnswer({ ...next, first_status }, event, rules), effects: [] };
    }

    case 'query_answered':
      if (isOutdated(order, event, rules)) return unchanged;
      return { order: keepClaim(order, readAnswer(next, event, rules)), effects: [] };

    case 'query_not_found':
      if (order.sending === 'claimed') return unchanged;
      // a service may forget what is finished, and what it forgot does not change any more
      if (order.outcome === 'succeeded')
        return { order: { ...next, next_check_at: null }, effects: [] };
      if (order.sending === 'refused') return { order: closeRefused(next), effects: [] };
      return { order: next, effects: mayResend(order, event, rules) ? ['resend'] : [] };

    case 'query_missed':
      if (order.sending === 'claimed') return unchanged;
      // after a lost request only an answer can say that the service does not have the order
      if (order.sending === 'refused' && order.lost_at === null)
        return { order: closeRefused(next), effects: [] };
      return { order: afterMiss(order, next, event), effects: [] };

    case 'signalled':
      // while the order is followed, its schedule asks again when the query of the signal fails
      if (order.next_check_at !== null) return unchanged;
      return { order: { ...next, ...followedAgain(ageMs), next_check_at: event.at }, effects: [] };

    case 'resolved':
      if (!mayResolve(order, event)) return unchanged;
      return { order: resolve(next, event.as, rules), effects: [] };
  }
}

/**
 * Whether the order's code has expired. The order's age decides, not the time of the clock: a step
 * forward of the clock must not end a code early for good.
 */
const isPastEnd = ({ created_at, expires_at }: OrderRow, ageMs: number | null): boolean =>
  expires_at !== null && (ageMs ?? 0) >= expires_at - created_at;

/** Whether the order is paid and no signal waits: only what somebody asks for is then asked. */
const isAtRest = ({ next_check_at, outcome }: OrderRow): boolean =>
  outcome === 'succeeded' && next_check_at === null;

/** Whether the order still has the claim that an event belongs to. */
const isOfClaim = (order: OrderRow, claim: number): boolean =>
  order.sending === 'claimed' && order.version === claim;

const followedAgain = (ageMs: number | null): Pick<OrderRow, 'followed_again_ms'> => ({
  followed_again_ms: ageMs ?? 0,
});

/**
 * A due check that got no answer does not end the following, because the check may be the only one
 * since the order was paid. The days of following begin again, once: a service that refuses every
 * query is not asked for ever.
 */
function afterMiss(before: OrderRow, next: OrderRow, { ageMs, at }: TimedEvent): OrderRow {
  const isLast = before.next_check_at !== null && next.next_check_at === null;
  if (!isLast || before.followed_again_ms !== null) return next;
  return { ...next, ...followedAgain(ageMs), next_check_at: at + interval(ageMs) };
}

/** While the order stays claimed, its claim keeps its version and its deadline. */
const keepClaim = (before: OrderRow, after: OrderRow): OrderRow =>
  after.sending === 'claimed'
    ? { ...after, next_check_at: before.next_check_at, version: before.version }
    : after;

/**
 * Whether to ignore an answer because another answer was written after this query was sent. The
 * relay cannot know which of the two is newer, so this answer counts only when it says success,
 * which is final.
 */
function isOutdated(
  order: OrderRow,
  { knownAt, answer }: { knownAt?: number | null; answer: ServiceOrder },
  { statuses }: Rules,
): boolean {
  if (knownAt === undefined || knownAt === order.checked_at) return false;
  if (order.outcome === 'succeeded') return true;
  return readStatus(statuses, answer.status, order.first_status) !== 'succeeded';
}

/**
 * A lost request is sent again once the claim and the grace have passed since the last loss: until
 * then it may still arrive. Time counts only as far as the clock has run without a step.
 */
function mayResend(
  order: OrderRow,
  { at, steadyMs = Infinity }: { at: number; steadyMs?: number },
  { claimMs, resendAfterS }: Rules,
): boolean {
  // the ledger does not keep the customer's data, so the same request cannot be built again
  if (resendAfterS === null || order.sending !== 'lost' || order.had_customer) return false;
  // an answer that lacks an echo does not prove the order, but it may be the order that arrived
  if (order.checked_at !== null) return false;
  const waited = Math.min(at - (order.lost_at ?? at), steadyMs);
  return waited >= claimMs + resendAfterS * 1000;
}

/**
 * Success is final. A person who has not seen the last status has decided about another one. An
 * unmapped order would otherwise never end when the service does not know it any more.
 */
const mayResolve = (
  order: OrderRow,
  { as, status: seen = order.status }: { as: Resolution; status?: number | null },
): boolean =>
  needsPerson(order) &&
  order.status === seen &&
  (order.outcome !== 'succeeded' || as === 'succeeded');

/**
 * The reason of the review is kept with the resolution; a later answer that contradicts it sets a
 * new one. After a review of answers about another order, the order has no status: a further such
 * answer is not new. It keeps the status of its own payment that is paid or resolved as failed,
 * because the same payment is not new either. A payment that the service took back before the first
 * decision is new when it is reported again, because nobody has paid it back. An order that was
 * paid after "failed" keeps that decision: nothing was delivered, and it may have been paid back.
 */
function resolve(order: OrderRow, as: Resolution, { statuses }: Rules): OrderRow {
  if (isPaidAfterRefusal(order))
    return { ...succeed(order, order), reported_paid: true, review_reason: null };
  const wasAboutAnother = order.review_reason === 'request_id_mismatch';
  const wasSeen = order.resolved_as !== null || isCalledPaid(statuses, order);
  const isRefusedPayment = as === 'failed' && order.reported_paid && wasSeen;
  const next: OrderRow = {
    ...order,
    ...(wasAboutAnother && order.outcome !== 'succeeded' && !isRefusedPayment && { status: null }),
    resolved_as: as,
    reported_paid: isRefusedPayment,
    review_reason: null,
    next_action: null,
  };
  return as === 'succeeded' ? succeed(next, order) : { ...next, outcome: 'failed' };
}
