/** The phases without content; a skeleton reserves the height of the options. */
import { html, type TemplateResult } from 'lit';
import type { ViewContext } from '../fragments/view-context.js';

/** Also shown while the texts load: English texts would be replaced a moment later. */
export const skeleton = html`<div class="skeleton" aria-hidden="true">
  <i class="tall"></i><i></i><i></i><i></i>
</div>`;

export const loading = ({ t }: ViewContext): TemplateResult =>
  html`${skeleton}
    <p class="unseen">${t('loading')}</p>`;

export const submitting = ({ t }: ViewContext): TemplateResult =>
  html`<h2>${t('submitting')}</h2>
    <div class="skeleton" aria-hidden="true"><i class="square"></i></div>
    <p class="hint">${t('submitting_hint')}</p>`;
