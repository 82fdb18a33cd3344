/** The screens of the phases in which nobody knows yet whether the order is paid. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { changeButton, checkButton, contact, shopLink } from '../fragments/actions.js';
import { copyField, grouped } from '../fragments/copy-field.js';
import { orderNumber, waitsLong } from '../fragments/order-facts.js';
import type { Screen } from '../fragments/screen.js';
import { resumeButton } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';
import { lacksCode, noCode } from '../next-actions/wait.js';
import type { OrderState } from './ends.js';

/** After a long wait, a lost answer brings no code any more. */
export const confirming = (view: ViewContext, { order }: OrderState): Screen =>
  waitsLong(view, order) && lacksCode(view) ? noCode(view, order) : stillAsking(view, order);

const stillAsking = (view: ViewContext, order: Order): Screen => ({
  title: view.t('confirming'),
  sign: 'time',
  hint: view.t('confirming_hint'),
  secondary: waitsLong(view, order) ? [checkButton(view), changeButton(view)] : [],
  more: [resumeButton(view, order), orderNumber(view, order)],
});

/** The phases `unmapped` and `review`: the order may be paid or may have failed. */
export function unclear(
  view: ViewContext,
  { phase, offer, order }: OrderState & { phase: 'unmapped' | 'review' },
): Screen {
  const { t } = view;
  const primary = shopLink(view);
  return {
    title: t(phase),
    sign: 'care',
    hint: t(`${phase}_hint`),
    look: 'problem',
    warning: order.other_payable ? t('other_payable') : null,
    content: [contact(view, primary, offer), referenceToCopy(view, order.request_id)],
    primary,
    more: [
      phase === 'unmapped' ? checkButton(view) : null,
      resumeButton(view, order),
      orderNumber(view, order),
    ],
  };
}

/** The customer can copy the reference, because the shop's operator finds the order by it. */
function referenceToCopy(view: ViewContext, id: string): TemplateResult {
  const field = { part: 'reference', label: view.t('reference'), value: id, shown: grouped(id) };
  return html`<div class="block">${copyField(view, field)}</div>`;
}
