/** The code at `qrcode_string` as a picture; on-phone.ts has the screen for a phone. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { changeButton, checkButton, lateCheck } from '../fragments/actions.js';
import { largeQr } from '../fragments/large-qr.js';
import { orderNumber, payee, waiting } from '../fragments/order-facts.js';
import { tools } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';
import { otherRoads } from './check-or-open.js';
import { codeActions, copyWords } from './code-actions.js';
import type { NextActionView } from './next-action-view.js';

export const scanQr: NextActionView<'scan_qr'> = (view, order, { qrcode_string: code }) => {
  const { linkOpened, nothingOpened, orderOption, ownWords, t } = view;
  const drawn = drawnCode(view, order, code);
  const opens = codeActions(view, order, code, drawn ? 'quiet' : 'primary');
  const { action, others, sheet } = opens;
  return {
    title: drawn
      ? (ownWords(orderOption?.words?.scan) ?? t('scan'))
      : (copyWords(view) ?? t('copy_code')),
    ...(drawn && { beside: 'code' }),
    content: [drawn ?? codeAsText(view, code), payee(view, order), sheet],
    primary: drawn ? null : action,
    waiting: waiting(view, order, t('awaiting')),
    secondary: [drawn && action, changeButton(view)],
    rest: [linkOpened ? checkButton(view) : lateCheck(view, order)],
    ...(nothingOpened && otherRoads(view, order, code, opens, null)),
    more: [...others, ...tools(view, order, code), orderNumber(view, order)],
  };
};

export const drawnCode = (view: ViewContext, order: Order, code: string): TemplateResult | null =>
  largeQr(view, code, `${view.t('qr_alt')}: ${view.money(order.amount, order.currency)}`, order);

/** A code that is too long for a picture. */
const codeAsText = ({ t }: ViewContext, code: string): TemplateResult =>
  html`<p class="hint">${t('qr_too_long')}</p>
    <span class="value payload" tabindex="0" translate="no" dir="ltr">${code}</span>`;
