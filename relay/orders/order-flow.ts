/** The pure heart of the relay: (order, fact) → {order, work}. Every money rule about an order's life stands here (design §6). */
import { linkAllowed, type LinkRules } from '../config/links.js';
import { readStatus, type StatusTable } from '../config/statuses.js';
import { compareDecimals, isDecimal } from '../contract/decimal.js';
import type { NextAction } from '../contract/order.js';
import { LONGEST_LINK } from '../contract/paths.js';
import type { OrderRow, ReviewReason } from '../ledger/rows.js';
import { nextCheck } from './schedule.js';

/** What the service said of an order; only fields that were present. */
export type Said = {
  status: number;
  order_no?: string | undefined;
  request_id?: string | undefined;
  currency?: string | undefined;
  order_amount?: string | undefined;
  qrcode_string?: string | null | undefined;
  checkout_url?: string | null | undefined;
  wallet_url?: string | null | undefined;
};

export type Fact =
  /** The request never reached the service; `claim`, here and below: the version of the claim that it speaks of. */
  | { type: 'pay_unsent'; at: number; claim?: number }
  /** Sent, and no usable answer. */
  | { type: 'pay_lost'; at: number; claim?: number }
  | { type: 'pay_refused'; at: number; claim?: number }
  | { type: 'pay_answered'; at: number; said: Said }
  /** `asked`: when the question left. */
  | { type: 'query_answered'; at: number; asked?: number; said: Said }
  /** A code of `not_found_codes`. */
  | { type: 'query_not_found'; at: number }
  /** No usable answer, or a refusal whose meaning is not configured: nothing is known. */
  | { type: 'query_missed'; at: number };

/** query_now: ask at once. send_again: the same request, by whoever wrote this order. */
export type Work = 'query_now' | 'send_again';

export type Rules = {
  statuses: StatusTable;
  links: LinkRules;
  requireEcho: boolean;
  /** Seconds after which a request that the service does not know may be sent again; null: never. */
  resendAfterS: number | null;
  followDays: number;
  /** How long a claim holds before its answer counts as lost, in milliseconds. */
  claimMs: number;
};

type Step = { order: OrderRow; work: readonly Work[] };

/** The row to write: its version is one above the one read. */
export function step(order: OrderRow, fact: Fact, rules: Rules): Step {
  const next: OrderRow = {
    ...order,
    version: order.version + 1,
    next_check_at: nextCheck(order.created_at, fact.at, rules.followDays),
  };
  /** Nothing is said of this order's present: its claim keeps its deadline, its schedule its time. */
  const unchanged: Step = { order: { ...next, next_check_at: order.next_check_at }, work: [] };
  if (
    'claim' in fact &&
    fact.claim !== undefined &&
    (order.sending !== 'claimed' || fact.claim !== order.version)
  )
    return unchanged;
  switch (fact.type) {
    case 'pay_unsent':
      // an earlier request of this order was lost, and may be at the service all the same
      if (order.lost_at !== null) return { order: { ...next, sending: 'lost' }, work: [] };
      return { order: { ...next, sending: 'unsent', next_check_at: null }, work: [] };
    case 'pay_lost':
      if (order.sending !== 'claimed') return unchanged;
      return {
        order: { ...next, sending: 'lost', outcome: 'confirming', lost_at: fact.at },
        work: ['query_now'],
      };
    case 'pay_refused':
      return {
        order: {
          ...next,
          sending: 'refused',
          outcome: order.status === null ? 'confirming' : order.outcome,
        },
        work: ['query_now'],
      };
    case 'pay_answered':
      return {
        order: answered(
          { ...next, first_status: order.first_status ?? fact.said.status },
          fact,
          rules,
        ),
        work: [],
      };
    case 'query_answered':
      return {
        order: isOld(order, fact, rules) ? unchanged.order : answered(next, fact, rules),
        work: [],
      };
    case 'query_not_found':
      if (order.sending === 'claimed') return unchanged;
      if (order.sending === 'refused') return { order: closed(next), work: [] };
      return mayResend(order, fact.at, rules)
        ? {
            order: { ...next, sending: 'claimed', next_check_at: fact.at + rules.claimMs },
            work: ['send_again'],
          }
        : { order: next, work: [] };
    case 'query_missed':
      if (order.sending === 'claimed') return unchanged;
      // an earlier request of this order was lost: only an answer can say that it never came
      return {
        order: order.sending === 'refused' && order.lost_at === null ? closed(next) : next,
        work: [],
      };
  }
}

/** Refused, and the one question after it found nothing (design §2): closed, and still watched. */
const closed = (order: OrderRow): OrderRow =>
  order.outcome === 'confirming' ? { ...order, outcome: 'failed' } : order;

/** Another relay heard an answer after this question left: which of the two is newer is not known, and asking goes on. Success is final. */
const isOld = (
  order: OrderRow,
  { asked, said }: { asked?: number; said: Said },
  { statuses }: Rules,
): boolean =>
  asked !== undefined &&
  order.checked_at !== null &&
  asked < order.checked_at &&
  (order.outcome === 'succeeded' ||
    readStatus(statuses, said.status, order.first_status) !== 'succeeded');

/** The grace begins anew with each loss: what was lost may still be on its way to the service. */
function mayResend(order: OrderRow, at: number, { resendAfterS }: Rules): boolean {
  return (
    resendAfterS !== null &&
    order.sending === 'lost' &&
    !order.had_customer &&
    at - (order.lost_at ?? at) >= resendAfterS * 1000
  );
}

function answered(
  order: OrderRow,
  { type, at, said }: Extract<Fact, { said: Said }>,
  rules: Rules,
): OrderRow {
  const heard: OrderRow = {
    ...order,
    sending: 'answered',
    checked_at: at,
    order_no: said.order_no ?? order.order_no,
  };
  // only success is final: another status after it is the operator's to look at, and never un-pays the order
  if (order.outcome === 'succeeded')
    return {
      ...heard,
      review_reason:
        type === 'pay_answered' || said.status === order.status
          ? order.review_reason
          : 'status_after_success',
    };
  if (!echoMatches(order, said, rules.requireEcho))
    return review({ ...heard, status: said.status }, 'echo_mismatch');

  const outcome = readStatus(rules.statuses, said.status, order.first_status);
  const read: OrderRow = { ...heard, status: said.status };
  if (outcome === 'succeeded')
    return {
      ...read,
      outcome,
      next_check_at: null,
      late: order.late || ['failed', 'expired', 'unmapped', 'review'].includes(order.outcome),
    };
  if (order.outcome === 'review') return read;
  if (outcome === 'review') return review(read, 'by_table');

  if (type === 'query_answered')
    return { ...read, outcome, next_action: order.next_action ?? { kind: 'wait' } };
  const action = readNextAction(said, rules.links);
  return typeof action === 'string'
    ? review(read, action)
    : { ...read, outcome, next_action: action };
}

/** Nothing to pay with is shown for an order in review. */
const review = (order: OrderRow, reason: ReviewReason): OrderRow => ({
  ...order,
  outcome: 'review',
  review_reason: reason,
  next_action: null,
});

function echoMatches(order: OrderRow, said: Said, requireAll: boolean): boolean {
  const { request_id, currency, order_amount } = said;
  if (
    requireAll &&
    (request_id === undefined || currency === undefined || order_amount === undefined)
  )
    return false;
  if (request_id !== undefined && request_id !== order.request_id) return false;
  if (currency !== undefined && currency !== order.currency) return false;
  return (
    order_amount === undefined ||
    (isDecimal(order_amount) && compareDecimals(order_amount, order.amount) === 0)
  );
}

/** Whichever link is present decides; none is a valid answer; two are not. */
function readNextAction(said: Said, links: LinkRules): NextAction | ReviewReason {
  const { qrcode_string, checkout_url, wallet_url } = said;
  const present = [qrcode_string, checkout_url, wallet_url].filter(
    (link) => typeof link === 'string' && link !== '',
  );
  if (present.length > 1) return 'two_links';
  if (present.some((link) => (link?.length ?? 0) > LONGEST_LINK)) return 'link_not_allowed';
  // a QR code's content is drawn and never opened, so no text is refused
  if (qrcode_string) return { kind: 'scan_qr', qrcode_string };
  if (checkout_url)
    return linkAllowed(checkout_url, links)
      ? { kind: 'open_page', checkout_url }
      : 'link_not_allowed';
  if (wallet_url)
    return linkAllowed(wallet_url, links)
      ? { kind: 'open_wallet', wallet_url }
      : 'link_not_allowed';
  return { kind: 'wait' };
}
