/** What a person reads after the service was asked about an order. */
import type { Answers } from './api.js';
import { words } from './format.js';

type Checked = Answers['orders/check'];

export const checkedText = (checked: Checked): string => {
  const { answer, message, status } = checked;
  const said = {
    answered: `The service says status ${status}`,
    not_found: 'The service knows no such order',
    no_answer: `The service gave no usable answer: ${message}`,
    not_asked: `The service was not asked: ${message}`,
  }[answer];
  return `${said}. ${newsOf(checked)}.`;
};

/** What the answer changed, and what a person must do about it. */
function newsOf({ changed, order: { outcome: now, review_reason } }: Checked) {
  if (changed.length === 0) return 'Nothing changed';
  const waits = review_reason && `waits for your decision (${words(review_reason)})`;
  if (now === 'review') return `It ${waits}`;
  const refunds = [
    changed.some(({ duplicate }) => duplicate) && ', a second payment',
    changed.some(({ late_payment }) => late_payment) && ', paid after the close',
  ].filter((text) => text !== false);
  const refund = refunds.length === 0 ? '' : `${refunds.join('')}: give it back`;
  return `It is ${words(now)} now${waits ? `, and ${waits}` : ''}${refund}`;
}
