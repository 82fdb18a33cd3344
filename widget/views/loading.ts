/** The phases without content; a skeleton reserves the height of the options. */
import { html, type TemplateResult } from 'lit';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';

/** Also shown while the texts load: English texts would be replaced a moment later. */
export const skeleton: TemplateResult = html`<div class="skeleton" aria-hidden="true">
  <i class="tall"></i><i></i><i></i><i></i>
</div>`;

export const submitting = ({ t }: ViewContext): Screen => ({
  title: t('submitting'),
  hint: t('submitting_hint'),
  content: html`<div class="skeleton" aria-hidden="true"><i class="square"></i></div>`,
});
