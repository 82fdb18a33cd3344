/** The code at `qrcode_string` as a picture; on-phone.ts has the screen for a phone. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { changeButton, checkButton } from '../fragments/actions.js';
import { copyButton } from '../fragments/copy-field.js';
import { largeQr } from '../fragments/large-qr.js';
import { orderNumber, payee, waiting, waitsLong } from '../fragments/order-facts.js';
import { saveButton } from '../fragments/qr.js';
import { tools } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { NextActionView } from './next-action-view.js';

export const scanQr: NextActionView<'scan_qr'> = (view, order, { qrcode_string: code }) => {
  const { orderOption, ownWords, t } = view;
  const drawn = drawnCode(view, order, code);
  const copyText = copyWords(view) ?? t('copy_code');
  const copy = copyButton(view, '', code, copyText, drawn ? 'quiet' : 'primary');
  const isLongWait = waitsLong(view, order);
  return {
    title: drawn ? (ownWords(orderOption?.words?.scan) ?? t('scan')) : copyText,
    ...(drawn && { beside: 'code' }),
    content: [drawn ?? codeAsText(view, code), payee(view, order)],
    primary: drawn ? null : copy,
    waiting: waiting(view, order, t('awaiting')),
    secondary: [isLongWait ? checkButton(view) : drawn && copy, changeButton(view)],
    more: [
      isLongWait && drawn ? copy : null,
      saveButton(view, code, 'quiet'),
      ...tools(view, order, code),
      orderNumber(view, order),
    ],
  };
};

/** The option's own words for the copy button. */
export const copyWords = ({ orderOption, ownWords }: ViewContext): string | undefined =>
  ownWords(orderOption?.words?.copy_code);

export const drawnCode = (view: ViewContext, order: Order, code: string): TemplateResult | null =>
  largeQr(view, code, `${view.t('qr_alt')}: ${view.money(order.amount, order.currency)}`, order);

/** A code that is too long for a picture. */
const codeAsText = ({ t }: ViewContext, code: string): TemplateResult =>
  html`<p class="hint">${t('qr_too_long')}</p>
    <span class="value payload" tabindex="0" translate="no" dir="ltr">${code}</span>`;
