/** The answers about orders, for a person. */
import type { z } from 'zod';
import { sumsByCurrency } from '../contract/decimal.js';
import { namedOtherwise, NOT_LEARNED } from '../contract/pay-back.js';
import type { CodeAmount } from '../contract/order.js';
import { MAX_FOUND } from '../ledger/operator-ledger.js';
import type {
  checkShape,
  Evidence,
  foundShape,
  listShape,
  Match,
  OperatorOrder,
  resolveShape,
  shownShape,
  TimelineEntry,
} from '../operator/shapes.js';
import { footer, mayFollow, moment, printable, table, wrapped } from './table.js';

const lines = (...all: readonly (string | null)[]): string =>
  all.map((line) => (line === null ? '' : `${wrapped(printable(line), 2)}\n`)).join('');

export function foundText({ matches, more }: z.infer<typeof foundShape>): string {
  if (matches.length === 0) return 'nothing found\n';
  const rows = matches.map((match) => [
    moment(match.created_at),
    match.kind,
    matchText(match),
    `${match.amount ?? '-'} ${match.currency ?? ''}`.trim(),
    match.intent_id ?? match.customer_ref_id ?? '-',
    match.order_no ?? '-',
  ]);
  return (
    table(
      [['opened', 'found by', 'outcome', 'amount', 'intent or customer', 'order_no'], ...rows],
      {
        whole: [2, 4, 5],
      },
    ) +
    (more ? `These are the newest of the first ${MAX_FOUND} found; there are more.\n` : '') +
    footer()
  );
}

const matchText = ({ kind, outcome, pay_back }: Match): string => {
  if (outcome === null) return kind === 'deposit_address' ? '-' : 'no order yet';
  return pay_back === null ? outcome : `${outcome} ${pay_back}`;
};

export function listedText({ cursor, orders, sums }: z.infer<typeof listShape>): string {
  if (orders.length === 0) return `no order\n${mayFollow(cursor)}`;
  const rows = orders.map((order) => [
    moment(order.opened_at),
    outcomeText(order),
    `${order.amount} ${order.currency}`,
    order.option,
    order.intent_id,
    order.order_no ?? '-',
  ]);
  const paidBack = orders.filter(({ pay_back }) => pay_back !== null);
  const certain = paidBack.filter((order) => namedOtherwise(order) === null);
  const unsure = paidBack.length - certain.length;
  return (
    table([['opened', 'outcome', 'amount', 'option', 'intent', 'order_no'], ...rows], {
      whole: [4, 5, 1],
    }) +
    lines(
      `${orders.length} listed: ${sumsText(sums)}`,
      ...paidBack.map(payBackText),
      certain.length === 0 ? null : `to be paid back: ${sumsText(sumsByCurrency(certain))}`,
      unsure > 0 ? `in no sum, because the service named another amount: ${unsure}` : null,
      paidBack.length === 0 ? null : NOT_LEARNED,
    ) +
    footer(cursor)
  );
}

function payBackText(order: OperatorOrder): string {
  const { amount, currency, pay_back, request_id, resolved_by, resolved_note } = order;
  const named = namedOtherwise(order);
  const asked = `${amount} ${currency}`;
  return [
    `pay back  ${named ? 'what came' : asked} of ${request_id}: ${pay_back}`,
    named && `asked ${asked}, the service named ${named.amount} ${named.currency}`,
    resolved_by && `decided by ${resolved_by}: ${resolved_note}`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

const sumsText = (sums: Readonly<Record<string, string>>): string =>
  Object.entries(sums)
    .map(([currency, amount]) => `${amount} ${currency}`)
    .join(', ');

const outcomeText = ({ outcome, pay_back, review_reason }: OperatorOrder): string =>
  [outcome, review_reason, pay_back].filter((part) => part !== null).join(' ');

export function shownText(shown: z.infer<typeof shownShape>): string {
  const { intent, orders, reviews, timeline } = shown;
  const { amount, closed_at, currency, customer_ref_id, erased_at, intent_id } = intent;
  return (
    lines(
      `intent    ${intent_id}`,
      `bought    ${intent.product_name}, ${amount} ${currency}`,
      `customer  ${customer_ref_id}`,
      intent.paid_request_id && `paid by   ${intent.paid_request_id}`,
      ...orders.map((order) => order.pay_back && payBackText(order)),
      orders.some(({ pay_back }) => pay_back) ? NOT_LEARNED : null,
      closed_at && `closed    ${moment(closed_at)} by ${intent.closed_by ?? "the shop's backend"}`,
      erased_at && `erased    ${moment(erased_at)} by ${intent.erased_by}`,
    ) +
    `\n${ordersTable(orders)}\n${timelineTable(timeline)}${footer()}` +
    reviews.map(evidenceText).join('')
  );
}

const ordersTable = (orders: readonly OperatorOrder[]): string =>
  table(
    [
      ['order', 'outcome', 'status', 'amount', 'option', 'order_no', 'last answer', 'asked next'],
      ...orders.map((order) => [
        order.request_id,
        outcomeText(order),
        String(order.status ?? '-'),
        `${order.amount} ${order.currency}`,
        order.option,
        order.order_no ?? '-',
        moment(order.checked_at),
        moment(order.next_check_at),
      ]),
    ],
    { whole: [0, 5, 1, 4, 3] },
  );

const timelineTable = (entries: readonly TimelineEntry[]): string =>
  table(
    [
      ['time', 'source', 'what', 'order or event', 'details'],
      ...entries.map((entry) => [
        moment(entry.at),
        entry.source,
        entry.what,
        entry.type ?? entry.request_id?.slice(0, 8) ?? '-',
        detailsOf(entry),
      ]),
    ],
    { whole: [4] },
  );

const detailsOf = (entry: TimelineEntry): string =>
  [
    entry.status !== undefined && `status ${entry.status}`,
    entry.outcome,
    entry.review_reason,
    entry.late && 'late',
    entry.late_payment && 'after the close',
    entry.duplicate && 'paid twice',
    entry.expired_at && `its code ended ${moment(entry.expired_at)}`,
    entry.omitted !== undefined && `${entry.omitted} facts had no room`,
    entry.signals !== undefined && `${entry.signals} came`,
    entry.last_at && `the last ${moment(entry.last_at)}`,
    entry.tries !== undefined && `${entry.tries} failed tries`,
    entry.last_failure,
    entry.next_try_at && `next try ${moment(entry.next_try_at)}`,
    entry.event_id,
    entry.by && `by ${entry.by}`,
    entry.note,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');

/** Without an amount in the code, the customer types one. */
const codeText = ({ amount, currency }: CodeAmount): string =>
  `${amount ?? 'any amount in'} ${currency}`;

const evidenceText = (evidence: Evidence): string =>
  lines(
    '',
    `in review: ${evidence.request_id}, ${evidence.review_reason}`,
    `asked for  ${evidence.asked.amount} ${evidence.asked.currency}`,
    `echoed     ${evidence.echoed.amount ?? '-'} ${evidence.echoed.currency ?? '-'}`,
    evidence.status === null ? null : `status     ${evidence.status}`,
    evidence.difference && `difference ${evidence.difference}`,
    evidence.code_amount && `the code   ${codeText(evidence.code_amount)}`,
    evidence.payee && `payee      ${evidence.payee}`,
    `for the customer: ${evidence.for_customer}`,
    `for the shop: ${evidence.for_shop}`,
  );

type Checked = z.infer<typeof checkShape>;

export const checkedText = ({ others, ...first }: Checked): string =>
  [first, ...others].map(oneCheckedText).join('');

function oneCheckedText(checked: Omit<Checked, 'others'>): string {
  const { answer, changed, message, order, request_id, status } = checked;
  const said = {
    answered: `the service names the status ${status}`,
    not_found: 'the service does not know this order',
    no_answer: `the service gave no usable answer: ${message ?? 'none'}`,
    not_asked: `the service was not asked: ${message ?? ''}`,
  }[answer];
  return (
    lines(`${request_id}: ${said}; the order is ${order.outcome}`) +
    (changed.length === 0 ? 'nothing changed\n' : timelineTable(changed) + footer())
  );
}

export function resolvedText({ order }: z.infer<typeof resolveShape>): string {
  const { outcome, pay_back, request_id } = order;
  const staysFailed = outcome === 'succeeded' && pay_back === 'resolved_as_failed';
  return lines(
    staysFailed
      ? `the review of ${request_id} ended; it stays resolved as failed`
      : `${request_id} resolved as ${outcome}`,
    pay_back && payBackText(order),
    outcome === 'failed' && pay_back === null
      ? 'if money came, note this request_id: no list names the payment'
      : null,
  );
}
