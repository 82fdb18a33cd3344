/** One box for all notices and warnings of a screen; two boxes would compete for attention. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { Screen } from './screen.js';
import type { ViewContext } from './view-context.js';

export function notice(
  { blind, offline, popupBlocked, t }: ViewContext,
  { settled, warning }: Screen,
): TemplateResult | typeof nothing {
  const unseen = blind ? t('blind') : offline && t('offline');
  const all = [!settled && unseen, popupBlocked && t('popup_blocked'), warning];
  const shown = all.filter(Boolean);
  return shown.length > 0 ? html`<p class="note">${shown.map(piece)}</p>` : nothing;
}

/** A new node for each text: a translator may have replaced the node of the former one. */
const piece = (text: unknown): unknown => [keyed(String(text), text), ' '];
