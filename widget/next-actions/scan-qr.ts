/** The code at `qrcode_string`: as a picture, and on the customer's own phone as an action. */
import { html, type TemplateResult } from 'lit';
import type { Order } from '../../relay/contract/order.js';
import { changeButton, checkButton } from '../fragments/actions.js';
import { copyButton } from '../fragments/copy-field.js';
import { externalLink, isSafeLink } from '../fragments/external-link.js';
import { toolsOf } from '../fragments/later.js';
import {
  openEnd,
  orderNumber,
  payee,
  pulsing,
  waiting,
  waitsLong,
} from '../fragments/order-facts.js';
import { largeQr, saveButton } from '../fragments/qr.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { NextActionView } from './next-action-view.js';

export const scanQr: NextActionView<'scan_qr'> = (view, order, { qrcode_string: code }) => {
  const { onPhone, orderOption, ownWords, t } = view;
  const title = ownWords(orderOption?.words?.scan) ?? t('scan');
  const copyWords = ownWords(orderOption?.words?.copy_code);
  const copy = copyButton(view, '', code, copyWords ?? t('copy_code'));
  const drawn = largeQr(
    view,
    code,
    `${t('qr_alt')}: ${view.money(order.amount, order.currency)}`,
    order,
  );
  if (onPhone) return onThisPhone(view, order, code, drawn, copyWords);
  const long = waitsLong(view, order);
  return {
    title,
    content: [
      drawn ?? codeAsText(view, code),
      payee(view, order),
      waiting(view, order, t('awaiting')),
      openEnd(view, order),
    ],
    secondary: [long ? checkButton(view) : copy, changeButton(view)],
    more: [
      long ? copy : null,
      saveButton(view, code, 'quiet'),
      ...toolsOf(view, order, code),
      orderNumber(view, order),
    ],
  };
};

/** A phone cannot scan its own screen: it opens, copies or saves the code. */
function onThisPhone(
  view: ViewContext,
  order: Order,
  code: string,
  drawn: TemplateResult | null,
  copyWords: string | undefined,
): Screen {
  const { linkSchemes, orderOption, t } = view;
  const wanted = orderOption?.phone_action ?? 'open';
  const opens = order.code_opens === true && isSafeLink(code, linkSchemes);
  const copy = (look: string): TemplateResult =>
    copyButton(view, '', code, copyWords ?? t('copy_payment_code'), look);
  const save = wanted === 'save' ? saveButton(view, code, 'primary') : null;
  const open =
    wanted === 'open' && opens ? externalLink(view, order, code, t('open_bank'), 'primary') : null;
  const primary = open ?? save ?? copy('primary');
  const isCopy = !open && !save;
  const hints = save ? t('save_hint') : t('copy_hint');
  return {
    title: t('awaiting'),
    heading: pulsing(t('awaiting')),
    ...(open ? {} : { hint: hints }),
    content: [payee(view, order), waiting(view, order, null), openEnd(view, order)],
    primary,
    secondary: [waitsLong(view, order) ? checkButton(view) : null, changeButton(view)],
    footer:
      drawn &&
      html`<details>
        <summary>${t('scan_elsewhere')}</summary>
        ${drawn}
      </details>`,
    more: [
      isCopy ? null : copy('quiet'),
      save ? null : saveButton(view, code, 'quiet'),
      ...toolsOf(view, order, code),
      orderNumber(view, order),
    ],
  };
}

const codeAsText = ({ t }: ViewContext, code: string): TemplateResult =>
  html`<p class="hint">${t('qr_too_long')}</p>
    <output class="value payload" tabindex="0" translate="no" dir="ltr">${code}</output>`;
