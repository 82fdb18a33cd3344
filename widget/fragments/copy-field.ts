/** A value to copy: shown in full, copied unformatted, with a button that copies it. */
import { html, type TemplateResult } from 'lit';
import { copy, type CopyTask } from './copy.js';
import { isolated } from './names.js';
import type { EventOn, ViewContext } from './view-context.js';

type Field = {
  part: string;
  label: string;
  value: string;
  /** The formatted value, for example in groups. */
  shown?: TemplateResult[];
  /** Number of the value among values that belong together. */
  step?: number;
  then?: CopyTask['then'];
};

/**
 * A long value in groups that a person can compare, type, or read out on the telephone. Only the
 * style separates the groups: selected text is the value without spaces.
 */
export const grouped = (value: string): TemplateResult[] =>
  (value.match(/.{1,4}/gs) ?? []).map((group) => html`<span class="group">${group}</span>`);

export function copyField(
  view: ViewContext,
  { label, part, shown, step, then, value }: Field,
): TemplateResult {
  return html`<div class="copy-field">
    <span class="field-label">${step && html`<b class="step">${step}</b>`}${isolated(label)}</span>
    <span part=${part} class="value" data-value=${value} translate="no" dir="ltr"
      >${shown ?? value}</span
    >
    ${copyButton(view, label, value, undefined, 'quiet', then)}
  </div>`;
}

/** @param words text of the button; the default also gets the label, for screen readers */
export function copyButton(
  view: ViewContext,
  label: string,
  value: string,
  words = view.t('copy'),
  look = 'quiet',
  then?: Field['then'],
): TemplateResult {
  const { t } = view;
  const press = ({ currentTarget: button }: EventOn<HTMLButtonElement>): void =>
    void copy(view, button, { value, then });
  // A property and not a child expression: the copy writes its result over the text.
  return html`<button
    part="copy"
    type="button"
    class=${look}
    aria-label=${words === t('copy') ? `${words}: ${label}` : words}
    data-text=${words}
    .textContent=${words}
    @click=${press}
  ></button>`;
}
