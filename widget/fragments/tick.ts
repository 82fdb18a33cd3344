/** The sign of success, drawn once when it appears. */
import { html, type TemplateResult } from 'lit';

export const tick: TemplateResult = html`<svg class="tick" viewBox="0 0 56 56" aria-hidden="true">
  <circle cx="28" cy="28" r="26" pathLength="100" />
  <path d="M17 29l8 8 15-17" pathLength="100" />
</svg>`;
