/** The pure core of the relay: (order, event) → {order, effects}. The money rules stand here. */
import type { LinkRules } from '../config/links.js';
import { readStatus, type StatusTable } from '../config/statuses.js';
import type { Outcome } from '../contract/order.js';
import type { OrderRow, Resolution, ReviewReason } from '../ledger/rows.js';
import {
  compareEchoes,
  echoedBy,
  echoesOf,
  hasEqualEchoes,
  type ComparedEchoes,
} from './echoes.js';
import { readNextAction } from './next-action.js';
import { nextCheck } from './polling/schedule.js';

/** What the service said of an order; only fields that were present. */
export type ServiceOrder = {
  status: number;
  order_no?: string | undefined;
  request_id?: string | undefined;
  currency?: string | undefined;
  order_amount?: string | undefined;
  qrcode_string?: string | null | undefined;
  checkout_url?: string | null | undefined;
  wallet_url?: string | null | undefined;
};

/**
 * `at`: the ledger's time in milliseconds. `ageAt`: the time by which the order grows old, where
 * it differs. `claim`: the version of the claim that the event speaks of.
 */
export type OrderEvent = { at: number; ageAt?: number } & (
  | { type: 'pay_unsent'; claim?: number }
  /** Sent, and no usable answer came. */
  | { type: 'pay_lost'; claim?: number }
  /** The service refused in its envelope. */
  | { type: 'pay_refused'; claim?: number }
  | { type: 'pay_answered'; said: ServiceOrder }
  /** `knownAt`: the order's `checked_at` when the question left. */
  | { type: 'query_answered'; knownAt?: number | null; said: ServiceOrder }
  /** A code of `not_found_codes`. `steadyMs`: for how long the clock ran without a step. */
  | { type: 'query_not_found'; steadyMs?: number }
  /** No usable answer, or a refusal whose meaning is not configured: nothing is known. */
  | { type: 'query_missed' }
  /** A person ends the review. */
  | { type: 'resolved'; as: Resolution }
);

/** query_now: ask at once. resend: claim the order again, and send the same request. */
export type Effect = 'query_now' | 'resend';

export type Rules = {
  statuses: StatusTable;
  links: LinkRules;
  requireEcho: boolean;
  /** Seconds after which a request that the service does not know is sent again; null: never. */
  resendAfterS: number | null;
  followDays: number;
  /** How long a claim holds before its answer counts as lost, in milliseconds. */
  claimMs: number;
};

export type Transition = { order: OrderRow; effects: readonly Effect[] };

/** The row to write has the version above the one read. */
export function transition(order: OrderRow, event: OrderEvent, rules: Rules): Transition {
  const next: OrderRow = {
    ...order,
    version: order.version + 1,
    next_check_at: nextCheck(
      order.created_at,
      { now: event.at, ageAt: event.ageAt ?? event.at },
      rules.followDays,
    ),
  };
  /** The event says nothing of the order's present: its claim and its schedule stay. */
  const unchanged: Transition = {
    order: { ...next, next_check_at: order.next_check_at },
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
    case 'pay_refused':
      return {
        order: {
          ...next,
          sending: 'refused',
          outcome: order.status === null ? 'confirming' : order.outcome,
        },
        effects: ['query_now'],
      };
    case 'pay_answered': {
      const first_status = order.first_status ?? event.said.status;
      return { order: answered({ ...next, first_status }, event, rules), effects: [] };
    }
    case 'query_answered':
      if (isOutdated(order, event, rules)) return unchanged;
      return { order: keepClaim(order, answered(next, event, rules)), effects: [] };
    case 'query_not_found':
      if (order.sending === 'claimed') return unchanged;
      if (order.sending === 'refused') return { order: closed(next), effects: [] };
      return { order: next, effects: mayResend(order, event, rules) ? ['resend'] : [] };
    case 'query_missed':
      if (order.sending === 'claimed') return unchanged;
      // an earlier request was lost: only an answer can say that it never came
      if (order.sending === 'refused' && order.lost_at === null)
        return { order: closed(next), effects: [] };
      return { order: next, effects: [] };
    case 'resolved':
      if (order.outcome !== 'review') return unchanged;
      return { order: resolved(next, event.as), effects: [] };
  }
}

const isOfClaim = (order: OrderRow, claim: number): boolean =>
  order.sending === 'claimed' && order.version === claim;

/** An answer that settles nothing leaves a claim its deadline. */
const keepClaim = (before: OrderRow, after: OrderRow): OrderRow =>
  after.sending === 'claimed' ? { ...after, next_check_at: before.next_check_at } : after;

/** Refused, and the one question after it found nothing: closed, and still watched. */
const closed = (order: OrderRow): OrderRow =>
  order.outcome === 'confirming' ? { ...order, outcome: 'failed' } : order;

/**
 * Another answer was written since this question left. Which of the two is newer is not known, so
 * only a success counts: success is final.
 */
function isOutdated(
  order: OrderRow,
  { knownAt, said }: { knownAt?: number | null; said: ServiceOrder },
  { statuses }: Rules,
): boolean {
  if (knownAt === undefined || knownAt === order.checked_at) return false;
  if (order.outcome === 'succeeded') return true;
  return readStatus(statuses, said.status, order.first_status) !== 'succeeded';
}

/**
 * A lost request is sent again when its claim and the grace have passed since the last loss: until
 * then it may still be on its way. The time counts only as far as the clock ran without a step.
 */
function mayResend(
  order: OrderRow,
  { at, steadyMs = Infinity }: { at: number; steadyMs?: number },
  { claimMs, resendAfterS }: Rules,
): boolean {
  if (resendAfterS === null || order.sending !== 'lost' || order.had_customer) return false;
  const waited = Math.min(at - (order.lost_at ?? at), steadyMs);
  return waited >= claimMs + resendAfterS * 1000;
}

type Answered = Extract<OrderEvent, { said: ServiceOrder }>;

function answered(order: OrderRow, event: Answered, rules: Rules): OrderRow {
  const { at, said, type } = event;
  const outcome = readStatus(rules.statuses, said.status, order.first_status);
  const echoes = compareEchoes(order, said);
  const isAnother = isAnotherOrder(order, said);
  const heard: OrderRow = {
    ...order,
    ...echoedBy(order, said),
    checked_at: at,
    order_no: isAnother ? order.order_no : (said.order_no ?? order.order_no),
  };
  const read: OrderRow = { ...heard, sending: 'answered', status: said.status };
  const absent = rules.requireEcho ? echoes.absent : null;
  const mismatch = echoes.mismatch ?? absent ?? (isAnother ? 'request_id_mismatch' : null);

  if (order.outcome === 'succeeded') return afterSuccess(order, heard, event, outcome);
  if (order.resolved_as !== null) return afterResolution(order, read, outcome, echoes);
  // only a person ends a review, and needs the echoes that began it
  if (order.outcome === 'review') return { ...read, ...echoesOf(order) };
  if (mismatch) return review(read, mismatch);

  const isFirst = type === 'pay_answered' || order.sending !== 'answered';
  if (outcome === 'succeeded') {
    const unproven = isFirst && (wasRefused(order, event) || echoes.absent !== null);
    return unproven ? review(read, 'paid_before_answer') : succeeded(read, order);
  }
  if (outcome === 'review') return review(read, 'by_table');
  if (type === 'query_answered') {
    // an order that pay never returned is taken for ours only when all three echoes are there
    if (isFirst && echoes.absent !== null) return notAdopted(order, heard);
    return { ...read, outcome, next_action: order.next_action ?? { kind: 'wait' } };
  }
  const action = readNextAction(said, rules.links);
  if (typeof action === 'string') return review(read, action);
  return { ...read, outcome, next_action: action };
}

/** Its number is another one, and no echoed request_id says that it is this order all the same. */
const isAnotherOrder = (order: OrderRow, { order_no, request_id }: ServiceOrder): boolean =>
  request_id === undefined &&
  order.order_no !== null &&
  order_no !== undefined &&
  order_no !== order.order_no;

/** Every request of this order was refused, so what query finds was not placed by it. */
const wasRefused = (order: OrderRow, { type }: Answered): boolean =>
  type === 'query_answered' && order.sending === 'refused' && order.lost_at === null;

/** Something is there under this request_id; whether it is this order is not known. */
const notAdopted = (order: OrderRow, heard: OrderRow): OrderRow => {
  const next = { ...heard, order_no: order.order_no };
  return order.sending === 'refused' && order.lost_at === null ? closed(next) : next;
};

const LATE_AFTER: readonly Outcome[] = ['failed', 'expired', 'unmapped', 'review'];

const succeeded = (next: OrderRow, before: OrderRow): OrderRow => ({
  ...next,
  outcome: 'succeeded',
  next_check_at: null,
  late: before.late || LATE_AFTER.includes(before.outcome),
});

/** Success is final: another status after it is for a person to look at, and un-pays nothing. */
function afterSuccess(
  before: OrderRow,
  heard: OrderRow,
  { said, type }: Answered,
  outcome: Outcome,
): OrderRow {
  const next: OrderRow = { ...heard, sending: 'answered', next_check_at: null };
  const contrary = said.status !== before.status && outcome !== 'succeeded';
  if (type === 'pay_answered' || !contrary) return next;
  return { ...next, review_reason: 'status_after_success' };
}

/**
 * What a person decided stands. A success after a failure is told as a late one, if all three
 * echoes prove it and the person cannot have seen it: the answer under review, or less than it,
 * must not overrule the decision.
 */
function afterResolution(
  before: OrderRow,
  read: OrderRow,
  outcome: Outcome,
  { absent, mismatch }: ComparedEchoes,
): OrderRow {
  const hasNews = read.status !== before.status || !hasEqualEchoes(before);
  if (outcome === 'succeeded' && !mismatch && !absent && hasNews) return succeeded(read, before);
  // the echoes that the person saw stay, since the next answer is compared with them
  const kept = { ...read, ...echoesOf(before) };
  if (outcome === before.outcome || read.status === before.status) return kept;
  const unproven = outcome === 'succeeded' ? 'paid_before_answer' : 'by_table';
  return { ...kept, review_reason: mismatch ?? unproven };
}

/** The reason of the review goes into the resolution; a contrary answer later sets it again. */
const resolved = (order: OrderRow, as: Resolution): OrderRow => {
  const next: OrderRow = { ...order, resolved_as: as, review_reason: null, next_action: null };
  return as === 'succeeded' ? succeeded(next, order) : { ...next, outcome: 'failed' };
};

/** Nothing to pay with is shown for an order in review. */
const review = (order: OrderRow, review_reason: ReviewReason): OrderRow => {
  return { ...order, outcome: 'review', review_reason, next_action: null };
};
