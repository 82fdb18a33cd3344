/** A long value in groups that a person can compare, type, or read out on the telephone. */
import { html, type TemplateResult } from 'lit';

/** Only the style separates groups of four: selected text is the value without spaces. */
export const grouped = (value: string): TemplateResult[] =>
  (value.match(/.{1,4}/gs) ?? []).map((group) => html`<span class="group">${group}</span>`);
