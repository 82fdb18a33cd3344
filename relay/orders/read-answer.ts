/** What an answer of the service changes in an order. Pure. */
import { readStatus } from '../config/statuses.js';
import type { Outcome } from '../contract/order.js';
import type { ReviewReason } from '../contract/review-reasons.js';
import type { OrderRow } from '../ledger/rows.js';
import { noCodeRules } from '../qrcode/check-code.js';
import { checkedCode } from './checked-code.js';
import { compareEchoes, withNewEchoes, storedEchoes } from './echoes.js';
import { readNextAction } from './next-action.js';
import type { AnswerEvent, PayAnswer, Rules } from './order-event.js';

/** Applies an answer to a pay or to a query. */
export function readAnswer(order: OrderRow, event: AnswerEvent, rules: Rules): OrderRow {
  const { at, answer, type } = event;
  const outcome = outcomeOf(order, answer, rules);
  const echoes = compareEchoes(order, answer);
  const isAnother = isAnotherOrder(order, answer);
  const required = rules.requireEcho ? echoes.absent : null;
  const mismatch = isAnother ? 'request_id_mismatch' : (echoes.mismatch ?? required);
  const isProven = outcome === 'succeeded' && !mismatch && echoes.absent === null;
  /**
   * The order with the fields that every answer changes. An answer about another order changes only
   * the time: its status and echoes would make a later payment of this order look known.
   */
  const checked: OrderRow = isAnother
    ? { ...order, checked_at: at }
    : {
        ...order,
        ...withNewEchoes(order, answer),
        checked_at: at,
        order_no: orderNoOf(answer) ?? order.order_no,
      };
  /** The order when the answer belongs to it, or puts it in review. */
  const accepted: OrderRow = {
    ...checked,
    sending: 'answered',
    status: isAnother ? order.status : (answer.status ?? order.status),
    reported_paid: order.reported_paid || isProven,
    // the service may call the order unpaid again before it is paid
    late: order.late || isGivenUp(order),
  };

  if (order.outcome === 'succeeded') {
    const { status } = type === 'pay_answered' ? order : accepted;
    return afterSuccess(order, { ...checked, status }, event, outcome, mismatch);
  }
  if (order.resolved_as !== null)
    return afterResolution(order, accepted, event, outcome, { isProven, mismatch });
  // only a person ends a review, and needs the echoes that started it
  if (order.outcome === 'review') return { ...accepted, ...storedEchoes(order) };
  if (mismatch) return review(accepted, mismatch);

  const isFirst = type === 'pay_answered' || order.sending !== 'answered';
  if (outcome === 'succeeded') {
    // the service may have answered the pay without a status
    const isFirstStatus = isFirst || order.status === null;
    const unproven = isFirstStatus && (wasRefused(order, event) || echoes.absent !== null);
    return unproven ? review(accepted, 'paid_before_answer') : succeed(accepted, order);
  }
  if (outcome === 'review') return review(accepted, 'by_table');

  if (type === 'query_answered') {
    // no answer to a pay showed this order, so the found order counts as this one only when all
    // three echoes are present
    if (isFirst && echoes.absent !== null) return notAdopted(order, checked);
    // an answered order without one has lost it for good, as it was replaced (ledger/rules.ts)
    const found = order.sending === 'answered' ? null : ({ kind: 'wait' } as const);
    return { ...accepted, outcome, next_action: order.next_action ?? found };
  }
  const action = readNextAction(answer, rules.links);
  if (typeof action === 'string') return review(accepted, action);
  const shown: OrderRow = { ...accepted, outcome, next_action: action };
  const code = checkedCode(shown, rules.codes.get(order.option) ?? noCodeRules);
  switch (code.verdict) {
    case 'wrong':
      // the code itself is not kept, so that nobody can show it
      return review({ ...accepted, code_amount: code.codeAmount }, 'code_mismatch');
    case 'another_payee':
      return review({ ...accepted, payee: code.payee }, 'payee_mismatch');
    case 'right':
      return { ...shown, payee: code.payee, code_amount: code.codeAmount };
    case 'unknown':
      return { ...shown, payee: null, code_amount: null };
  }
}

/**
 * An answer without a status says that the service has the order, and nothing about a payment: what
 * a query has said before stays.
 */
function outcomeOf(order: OrderRow, { status }: PayAnswer, { statuses }: Rules): Outcome {
  if (status !== undefined) return readStatus(statuses, status, order.first_status);
  return order.outcome === 'confirming' ? 'pending' : order.outcome;
}

/** Success is final: after another status a person must look at the order, which stays paid. */
function afterSuccess(
  before: OrderRow,
  checked: OrderRow,
  { answer, type }: AnswerEvent,
  outcome: Outcome,
  mismatch: ReviewReason | null,
): OrderRow {
  const next: OrderRow = { ...checked, sending: 'answered', next_check_at: null };
  const isContrary = !isKnown(before, answer, mismatch) && outcome !== 'succeeded';
  if (type === 'pay_answered' || !isContrary) return next;
  const isAnother = mismatch === 'request_id_mismatch';
  // an answer about another order must not hide that the payment was taken back
  const review_reason = isAnother ? (before.review_reason ?? mismatch) : 'status_after_success';
  return { ...next, review_reason };
}

/**
 * A person's decision stands. Only a payment that all three echoes prove, and that the person
 * cannot have seen, changes the outcome "failed". Otherwise the next answer to the same query would
 * overrule the person.
 */
function afterResolution(
  before: OrderRow,
  accepted: OrderRow,
  { answer }: AnswerEvent,
  outcome: Outcome,
  { isProven, mismatch }: { isProven: boolean; mismatch: ReviewReason | null },
): OrderRow {
  if (isProven && !before.reported_paid) return succeed(accepted, before);
  const kept = before.review_reason === null ? accepted : { ...accepted, ...storedEchoes(before) };
  if (outcome === before.outcome || isKnown(before, answer, mismatch)) return kept;
  const unproven = outcome === 'succeeded' ? 'paid_before_answer' : 'by_table';
  return { ...kept, review_reason: mismatch ?? unproven };
}

/**
 * Whether an answer says nothing new. When a person has ended a review of answers about another
 * order, the order has no status, or that of its own payment, which is paid or which "failed"
 * refuses. A further answer about another order is then not new.
 */
const isKnown = (before: OrderRow, { status }: PayAnswer, mismatch: ReviewReason | null): boolean =>
  (status ?? before.status) === before.status ||
  (mismatch === 'request_id_mismatch' &&
    (before.status === null ||
      before.resolved_as === 'succeeded' ||
      (before.resolved_as === 'failed' && before.reported_paid)));

const MAX_ORDER_NO_CHARACTERS = 64;

/**
 * The order_no as it is stored and compared, without characters that a database cannot store. One
 * that is too long counts as absent: a part of it could name another order.
 */
function orderNoOf({ order_no }: PayAnswer): string | undefined {
  // PostgreSQL stores neither of the two
  const text = order_no?.replace(/[\0\p{Surrogate}]/gu, '');
  return text === undefined || text.length > MAX_ORDER_NO_CHARACTERS ? undefined : text;
}

/** The request_id names the order; where it is absent, a different order_no means another order. */
export function isAnotherOrder(order: OrderRow, answer: PayAnswer): boolean {
  if (answer.request_id !== undefined) return answer.request_id !== order.request_id;
  const orderNo = orderNoOf(answer);
  return order.order_no !== null && orderNo !== undefined && orderNo !== order.order_no;
}

/**
 * Whether every request of the order was refused, so that no request of the relay placed the order
 * that the query found.
 */
const wasRefused = (order: OrderRow, { type }: AnswerEvent): boolean =>
  type === 'query_answered' && order.sending === 'refused' && order.lost_at === null;

/** The order that the service found may be another one, so its `order_no` is not stored. */
function notAdopted(order: OrderRow, checked: OrderRow): OrderRow {
  const next = { ...checked, order_no: order.order_no };
  return order.sending === 'refused' && order.lost_at === null ? closeRefused(next) : next;
}

/** An order in review shows nothing to pay with. */
const review = (order: OrderRow, review_reason: ReviewReason): OrderRow => ({
  ...order,
  outcome: 'review',
  review_reason,
  next_action: null,
});

/** Closes a refused order that the query after the refusal did not find; it stays polled. */
export const closeRefused = (order: OrderRow): OrderRow =>
  order.outcome === 'confirming' ? { ...order, outcome: 'failed' } : order;

/** A success after one of these outcomes is late: the shop may have given the order up. */
const LATE_AFTER: readonly Outcome[] = ['failed', 'expired', 'unmapped', 'review'];

const isGivenUp = ({ outcome }: OrderRow): boolean => LATE_AFTER.includes(outcome);

/**
 * Marks an order as paid.
 *
 * @param next the order as it will be written
 * @param before the order whose outcome the success ends
 */
export const succeed = (next: OrderRow, before: OrderRow): OrderRow => ({
  ...next,
  outcome: 'succeeded',
  // success is final, so nothing asks for it any more
  reported_paid: false,
  next_check_at: null,
  late: before.late || isGivenUp(before),
});
