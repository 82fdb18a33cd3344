/** One box for all notices and warnings of a screen; two boxes would compete for attention. */
import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Screen } from './screen.js';
import type { ViewContext } from './view-context.js';

export function notice(
  view: ViewContext,
  { settled, waiting, warning }: Screen,
): TemplateResult | null {
  const { popupBlocked, t } = view;
  // Only beside the link that the customer is asked to press, while the order can be paid.
  const all = [
    unseen(view, settled),
    waiting !== undefined && popupBlocked && t('popup_blocked'),
    warning,
  ];
  const shown = all.filter(Boolean);
  return shown.length > 0 ? html`<p id="note" class="note">${shown.map(piece)}</p>` : null;
}

/** What keeps the page from learning of a payment, unless the screen waits for none. */
export const unseen = ({ blind, offline, t }: ViewContext, settled?: boolean): string | false =>
  !settled && (blind ? t('blind') : offline && t('offline'));

/** A new node for each text: a translator may have replaced the node of the former one. */
const piece = (text: unknown): unknown => [keyed(String(text), text), ' '];
