/** The most important notice of a state; a second one would compete with it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ViewContext } from './view-context.js';

/** @param warning what the state itself has to say; only a lost connection comes before it */
export function notice(
  { offline, popupBlocked, t }: ViewContext,
  warning: string | null,
): TemplateResult | typeof nothing {
  const blocked = popupBlocked ? t('popup_blocked') : null;
  const text = offline ? t('offline') : (blocked ?? warning);
  return text === null ? nothing : html`<p class="note">${text}</p>`;
}
