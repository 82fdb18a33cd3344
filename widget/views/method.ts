/** The way to pay that the order uses, shown above the code or the hint. */
import { html, type TemplateResult } from 'lit';
import { pictureMark } from '../fragments/picture-mark.js';
import type { ViewContext } from '../fragments/view-context.js';

/** @returns null when the relay no longer knows the order's option */
export function method(view: ViewContext): TemplateResult | null {
  const option = view.orderOption;
  if (!option) return null;
  const name = view.label(option.label);
  return html`<p class="method">${pictureMark(view, name, option.icon_url)}<bdi>${name}</bdi></p>`;
}
