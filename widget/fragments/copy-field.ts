/**
 * A value the customer takes along: shown whole, copied raw, and the button says truly whether that
 * worked.
 */
import { html, type TemplateResult } from 'lit';
import { copyText } from '../browser/clipboard.js';
import { isolated } from './names.js';
import type { ViewContext } from './view-context.js';

const SHOWN_MS = 2000;

type Field = {
  part: string;
  label: string;
  value: string;
  /** The value as displayed (grouped, say). */
  shown?: TemplateResult[];
  /** Its place among the values that belong together. */
  step?: number;
  /** What is said once it is copied, and the part whose copy button comes next. */
  then?: { words: string; part: string };
};

export function copyField(
  view: ViewContext,
  { label, part, shown, step, then, value }: Field,
): TemplateResult {
  return html`<div class="copy-field">
    <span class="field-label"
      >${step === undefined ? '' : html`<b class="step">${step}</b>`}${isolated(label)}</span
    >
    <output part=${part} class="value" data-value=${value} translate="no" dir="ltr"
      >${shown ?? value}</output
    >
    ${copyButton(view, label, value, undefined, 'quiet', then)}
  </div>`;
}

/** @param words what the button says; its name for a screen reader adds the label */
export function copyButton(
  { actions, t }: ViewContext,
  label: string,
  value: string,
  words = t('copy'),
  look = 'quiet',
  then?: Field['then'],
): TemplateResult {
  const copy = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLButtonElement;
    const copied = await copyText(value);
    const text = t(copied ? 'copied' : 'copy_failed');
    if (!copied) selectBeside(button, value);
    actions.announce(copied && then ? then.words : text);
    if (copied && then) nextCopy(button, then.part)?.focus();
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
    class=${look}
    aria-label=${words === t('copy') ? `${words}: ${label}` : words}
    .textContent=${words}
    @click=${copy}
  ></button>`;
}

const nextCopy = (button: HTMLElement, part: string): HTMLElement | null =>
  button.closest('.phase')?.querySelector<HTMLElement>(`[part="${part}"] + [part="copy"]`) ?? null;

/** Shown where it does not stand beside the button yet. */
function selectBeside(button: HTMLElement, value: string): void {
  if (!button.previousElementSibling?.matches('output'))
    button.before(
      Object.assign(document.createElement('output'), {
        className: 'value payload',
        textContent: value,
      }),
    );
  if (button.previousElementSibling)
    getSelection()?.selectAllChildren(button.previousElementSibling);
}
