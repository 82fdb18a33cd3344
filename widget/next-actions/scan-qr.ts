/** The code at `qrcode_string` as a picture; on-phone.ts has the screen for a phone. */
import type { TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { changeButton, checkButton } from '../fragments/actions.js';
import { copyButton } from '../fragments/copy-field.js';
import { laterOf } from '../fragments/later.js';
import { orderNumber, payee, waiting, waitsLong } from '../fragments/order-facts.js';
import { largeQr } from '../fragments/qr.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { NextActionView } from './next-action-view.js';

export const scanQr: NextActionView<'scan_qr'> = (view, order, { qrcode_string: code }) => {
  const { orderOption, ownWords, t } = view;
  const drawn = drawnCode(view, order, code);
  const copyText = copyWords(view) ?? t('copy_code');
  const copy = copyButton(view, '', code, copyText, drawn ? 'quiet' : 'primary');
  const later = laterOf(view.later);
  const isLongWait = waitsLong(view, order);
  return {
    title: drawn ? (ownWords(orderOption?.words?.scan) ?? t('scan')) : copyText,
    content: [
      drawn ?? later?.codeAsText(view, code),
      payee(view, order),
      waiting(view, order, t('awaiting')),
    ],
    primary: drawn ? null : copy,
    secondary: [isLongWait ? checkButton(view) : drawn && copy, changeButton(view)],
    more: [
      isLongWait && drawn ? copy : null,
      ...(later?.codeTools(view, order, code) ?? []),
      orderNumber(view, order),
    ],
  };
};

/** The option's own words for the copy button. */
export const copyWords = ({ orderOption, ownWords }: ViewContext): string | undefined =>
  ownWords(orderOption?.words?.copy_code);

export const drawnCode = (view: ViewContext, order: Order, code: string): TemplateResult | null =>
  largeQr(view, code, `${view.t('qr_alt')}: ${view.money(order.amount, order.currency)}`, order);
