/** The code at `qrcode_string` as an action for a phone, which cannot scan its own screen. */
import { html, type TemplateResult } from 'lit';
import { changeButton } from '../fragments/actions.js';
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
  const { fromEarlierVisit, linkOpened, nothingOpened, t } = view;
  const drawn = drawnCode(view, order, code);
  const look = linkOpened ? 'quiet' : 'primary';
  const { action, kind, others, sheet } = codeActions(view, order, code, look);
  const { primary, other } = checkOrOpen(view, order, linkOpened, action);
  const secondary = [other, changeButton(view)];
  return {
    title: t('pay_here'),
    content: [payee(view, order), sheet],
    primary,
    ...(linkOpened ? { hint: t('under_way') } : { next: t(NEXT[kind]) }),
    waiting: waiting(view, order, t('awaiting')),
    // An order from an earlier visit has a further action in this place (views/index.ts).
    secondary: fromEarlierVisit ? [] : secondary,
    ...(nothingOpened && otherRoads(view, order, code, action)),
    fold: elsewhere(view, drawn),
    more: [
      ...(fromEarlierVisit ? secondary : []),
      ...others,
      ...tools(view, order, code),
      orderNumber(view, order),
    ],
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
