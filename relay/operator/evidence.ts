/** What a person compares before a review ends, and sentences to send. */
import { moneyText } from '../contract/money-text.js';
import type { CodeAmount } from '../contract/order.js';
import type { Intent, OrderInIntent } from '../ledger/intent.js';
import { needsPerson } from '../ledger/rows.js';
import { isPaidAfterRefusal, paidOrder } from '../ledger/shown-order.js';
import { differenceOf } from '../webhooks/purchase.js';
import type { Evidence } from './shapes.js';

/** What each reason means, as the end of "The order service …". */
const MEANING: Record<Evidence['review_reason'], string> = {
  amount_mismatch: 'named another amount',
  currency_mismatch: 'named another currency',
  request_id_mismatch: 'answered about another order',
  code_mismatch: 'sent a QR code that charges something else',
  payee_mismatch: 'sent a code that pays somebody whom the configuration does not name',
  two_links: 'sent two links for one order',
  link_not_allowed: 'sent a link that the configuration does not allow',
  by_table: 'named a status that the configuration gives to a person',
  status_after_success: 'named another status after the payment',
  unmapped: 'named a status that the configuration does not know',
  paid_before_answer:
    'called the order paid before an answer to its pay, or without naming amount, currency and ' +
    'request_id',
};

/** After a decision these reasons say only that the service contradicts it. */
const CONTRARY: readonly Evidence['review_reason'][] = ['by_table', 'paid_before_answer'];

const money = (amount: string, currency: string): string => moneyText(amount, currency, 'en');

/** Without an amount in it, the customer types one. */
const charged = ({ amount, currency }: CodeAmount): string =>
  amount === undefined
    ? `an amount in ${currency} that the customer types`
    : money(amount, currency);

/** An answer of the service with a status that is named decides without a person. */
const NAME_FIRST =
  'First write what the status means into "statuses", reload every relay, and run "orders ' +
  'check": decide yourself only when the service does not know the order any more.';

/** @returns null when no person must look at the order */
export function evidenceOf({ intent, order }: OrderInIntent): Evidence | null {
  const { amount, currency, echoed_amount, echoed_currency, payee, request_id } = order;
  const { code_amount, resolved_as, status } = order;
  if (!needsPerson(order)) return null;
  const review_reason = order.review_reason ?? 'unmapped';
  const isContrary = resolved_as !== null && CONTRARY.includes(review_reason);
  const meaning = isContrary ? 'contradicts the last decision' : MEANING[review_reason];
  const difference = differenceOf(order);
  const asked = amount === '' ? 'an amount that the ledger lost' : money(amount, currency);
  const named = money(echoed_amount ?? amount, echoed_currency ?? currency);
  const isAboutAmount = difference !== null && !/^-?0(\.0*)?$/.test(difference);
  const known = [
    isAboutAmount ? `, the difference is ${money(difference, currency)}` : '',
    code_amount === null ? '' : `, the code charges ${charged(code_amount)}`,
  ];
  return {
    request_id,
    review_reason,
    status,
    asked: { amount, currency },
    echoed: { amount: echoed_amount, currency: echoed_currency },
    difference,
    payee,
    code_amount,
    for_customer: isAboutAmount
      ? `We asked for ${asked}, and ${named} was named to us. We are looking at ` +
        'your payment, and write to you as soon as it is decided. Please do not pay again.'
      : 'We are looking at your payment, and write to you as soon as it is decided. ' +
        'Please do not pay again.',
    for_shop:
      `The order service ${meaning} (${review_reason}). Look at the payment in ` +
      `the service's own list: we asked for ${asked}${known.join('')}. ` +
      (review_reason === 'unmapped' ? `${NAME_FIRST} ` : '') +
      adviceOn({ intent, order }),
  };
}

function adviceOn({ intent, order }: OrderInIntent): string {
  const { outcome, request_id, resolved_as, review_reason } = order;
  if (outcome !== 'succeeded' && resolved_as === 'failed')
    return (
      'It was resolved as failed before, so the money may have been paid back. Then say ' +
      '"succeeded" only if the money is here and nobody paid it back, or "failed" again.' +
      whyNotKept(intent)
    );
  if (outcome !== 'succeeded')
    return (
      'Then say "succeeded" if you keep it as the payment of this order, or "failed" if no ' +
      `money came or you pay it back. Pay back only after the decision.${whyNotKept(intent)}`
    );
  const paidBy = intent.paid_request_id ?? request_id;
  const isFirst = paidBy === request_id && intent.closed_at === null;
  const onDelivery =
    isFirst && !isPaidAfterRefusal(order)
      ? 'If the money was taken back, take back what you delivered. '
      : 'This payment was to be paid back, so take back nothing that you delivered. If it was ' +
        'neither paid back nor taken back, pay it back. ';
  return (
    `The order stays paid. ${review_reason === 'request_id_mismatch' ? '' : onDelivery}` +
    'Then say "succeeded", which only ends the review.'
  );
}

/** A payment that is kept is one more of a purchase that is paid, or too late for a closed one. */
function whyNotKept(intent: Intent): string {
  const paid = paidOrder(intent);
  const isPaid = paid !== null && !isPaidAfterRefusal(paid);
  if (!isPaid && intent.closed_at === null) return '';
  const what = isPaid ? `paid by the order ${paid.request_id}` : 'closed';
  return ` The purchase is ${what}: also after "succeeded" this payment is to be paid back.`;
}
