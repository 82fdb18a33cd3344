/** The bar at the top of a dialog, and what closes the dialog. */
import { html, type TemplateResult } from 'lit';
import type { EventOn, ViewContext } from './view-context.js';

/** Closes the dialog around the element at which the event arrives. */
export const closeDialog = ({ currentTarget }: EventOn<HTMLElement>): void =>
  currentTarget.closest('dialog')?.close();

export const bar = (
  { t }: ViewContext,
  title: unknown,
  close: (event: EventOn<HTMLElement>) => void = closeDialog,
): TemplateResult =>
  html`<div class="bar">
    <b>${title}</b>
    <button type="button" class="quiet close" aria-label=${t('close')} @click=${close}>×</button>
  </div>`;
