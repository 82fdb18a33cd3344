/** The way to pay that the order uses, shown below the title. */
import { html, type TemplateResult } from 'lit';
import { isolated } from '../fragments/names.js';
import type { ViewContext } from '../fragments/view-context.js';

/** @returns null when the relay no longer knows the order's option */
export function method(view: ViewContext): TemplateResult | null {
  const option = view.orderOption;
  if (!option) return null;
  return html`<p class="method">${isolated(view.label(option.label))}</p>`;
}
