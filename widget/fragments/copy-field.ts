/** A value the customer takes along: shown whole, copied raw, and the button says truly whether that worked. */
import { html, type TemplateResult } from 'lit';
import { copyText } from '../page/clipboard.js';
import type { ViewContext } from './view-context.js';

const SHOWN_MS = 2000;

type Field = { part: string; label: string; value: string; shown?: TemplateResult[]; step?: number | undefined };

/** @param shown the value as displayed (grouped, say); `value` is what is copied */
export function copyField(view: ViewContext, { part, label, value, shown, step }: Field): TemplateResult {
  return html`<div class="copy-field">
    <span class="field-label">${step === undefined ? '' : html`<b class="step">${step}</b>`}${label}</span>
    <output part=${part} class="value" data-value=${value} translate="no" dir="ltr">${shown ?? value}</output>
    ${copyButton(view, label, value)}
  </div>`;
}

/** @param words what the button says; its name for a screen reader adds the label */
export function copyButton({ t, actions }: ViewContext, label: string, value: string, words = t('copy')): TemplateResult {
  const copy = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLButtonElement;
    const copied = await copyText(value);
    const text = t(copied ? 'copied' : 'copy_failed');
    if (!copied) selectBeside(button);
    actions.announce(text);
    button.dataset.state = copied ? 'copied' : 'failed';
    button.textContent = copied ? text : words;
    setTimeout(() => {
      button.textContent = words;
      delete button.dataset.state;
    }, SHOWN_MS);
  };
  // plain text content, not a binding: the handler writes it
  return html`<button
    part="copy"
    type="button"
    class="quiet"
    aria-label=${words === t('copy') ? `${words}: ${label}` : words}
    .textContent=${words}
    @click=${copy}
  ></button>`;
}

function selectBeside(button: HTMLElement): void {
  const value = button.previousElementSibling;
  if (value) getSelection()?.selectAllChildren(value);
}
