/** The code at `qrcode_string` as an action for a phone, which cannot scan its own screen. */
import { html, type TemplateResult } from 'lit';
import { changeButton, checkButton } from '../fragments/actions.js';
import { copyButton } from '../fragments/copy-field.js';
import { externalLink, isSafeLink } from '../fragments/external-link.js';
import { orderNumber, payee, waiting, waitsLong } from '../fragments/order-facts.js';
import { saveButton } from '../fragments/qr.js';
import { tools } from '../fragments/tools.js';
import type { NextActionView } from './next-action-view.js';
import { copyWords, drawnCode } from './scan-qr.js';

export const onPhone: NextActionView<'scan_qr'> = (view, order, { qrcode_string: code }) => {
  const { fromEarlierVisit, linkOpened, linkSchemes, orderOption, t } = view;
  const drawn = drawnCode(view, order, code);
  const wanted = orderOption?.phone_action ?? 'open';
  const opens = order.code_opens === true && isSafeLink(code, linkSchemes);
  const copy = (look: string): TemplateResult =>
    copyButton(view, '', code, copyWords(view) ?? t('copy_payment_code'), look);
  const save = wanted === 'save' ? saveButton(view, code, 'primary') : null;
  const open =
    wanted === 'open' && opens ? externalLink(view, order, code, t('open_bank'), 'primary') : null;
  const primary = open ?? save ?? copy('primary');
  const isCopy = !open && !save;
  const others = [
    linkOpened || waitsLong(view, order) ? checkButton(view) : null,
    changeButton(view),
  ];
  const instruction = save ? t('pick_hint') : t('paste_hint');
  return {
    title: t('pay_here'),
    content: payee(view, order),
    primary,
    next: open ? t('open_wallet_hint') : instruction,
    waiting: waiting(view, order, t('awaiting')),
    // An order from an earlier visit has a further action in this place (views/index.ts).
    secondary: fromEarlierVisit ? [] : others,
    fold:
      drawn &&
      html`<details>
        <summary>${t('scan_elsewhere')}</summary>
        ${drawn}
      </details>`,
    more: [
      ...(fromEarlierVisit ? others : []),
      isCopy ? null : copy('quiet'),
      save ? null : saveButton(view, code, 'quiet'),
      ...tools(view, order, code),
      orderNumber(view, order),
    ],
  };
};
