/** The code at `qrcode_string` as an action for a phone, which cannot scan its own screen. */
import { html, type TemplateResult } from 'lit';
import { orderNumber, payee, waiting } from '../fragments/order-facts.js';
import { tools } from '../fragments/tools.js';
import type { ViewContext } from '../fragments/view-context.js';
import { checkOrOpen, otherRoads } from './check-or-open.js';
import { codeActions } from './code-actions.js';
import type { NextActionView } from './next-action-view.js';
import { drawnCode } from './scan-qr.js';

/** The second step, after each kind of action. */
const NEXT = { open: 'open_wallet_hint', save: 'pick_hint', copy: 'paste_hint' } as const;

export const onPhone: NextActionView<'scan_qr'> = (view, order, { qrcode_string: code }) => {
  const { linkOpened, nothingOpened, t } = view;
  const scan = elsewhere(view, drawnCode(view, order, code));
  const opens = codeActions(view, order, code, linkOpened ? 'quiet' : 'primary');
  return {
    title: t('pay_here'),
    content: [payee(view, order), opens.sheet],
    ...(!linkOpened && { next: t(NEXT[opens.kind]) }),
    waiting: waiting(view, order, t('awaiting')),
    ...(nothingOpened
      ? otherRoads(view, order, code, opens, scan)
      : checkOrOpen(view, order, linkOpened, opens.action, scan)),
    more: [...opens.others, ...tools(view, order, code), orderNumber(view, order)],
  };
};

/** The code for another device, which can scan it. */
export const elsewhere = (
  { t }: ViewContext,
  drawn: TemplateResult | null,
): TemplateResult | null =>
  drawn &&
  html`<details>
    <summary>${t('scan_elsewhere')}</summary>
    ${drawn}
  </details>`;
