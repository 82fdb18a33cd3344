/** A value to copy: shown in full, copied unformatted, with a button that reports the result. */
import { html, nothing, type TemplateResult } from 'lit';
import { isolated } from './names.js';
import type { EventOn, ViewContext } from './view-context.js';

/** How long the button shows the result. */
const RESULT_MS = 2000;

type Field = {
  part: string;
  label: string;
  value: string;
  /** The formatted value, for example in groups. */
  shown?: TemplateResult[];
  /** Number of the value among values that belong together. */
  step?: number;
  /** Announced after the copy; the focus moves to the copy button of `part`. */
  then?: { words: string; part: string };
};

export function copyField(
  view: ViewContext,
  { label, part, shown, step, then, value }: Field,
): TemplateResult {
  return html`<div class="copy-field">
    <span class="field-label"
      >${step === undefined ? nothing : html`<b class="step">${step}</b>`}${isolated(label)}</span
    >
    <output part=${part} class="value" data-value=${value} translate="no" dir="ltr"
      >${shown ?? value}</output
    >
    ${copyButton(view, label, value, undefined, 'quiet', then)}
  </div>`;
}

/** @param words text of the button; the default also gets the label, for screen readers */
export function copyButton(
  { actions, t }: ViewContext,
  label: string,
  value: string,
  words = t('copy'),
  look = 'quiet',
  then?: Field['then'],
): TemplateResult {
  const copy = async (event: EventOn<HTMLButtonElement>): Promise<void> => {
    const button = event.currentTarget;
    const copied = await copyText(value);
    const text = t(copied ? 'copied' : 'copy_failed');
    if (!copied) selectBeside(button, value);
    if (copied) actions.say(then?.words ?? text);
    else actions.announce(text);
    // Stays, so that the customer sees which of two values he has copied.
    if (copied) button.closest('.copy-field')?.classList.add('done');
    if (copied && then) nextCopy(button, then.part)?.focus();
    button.dataset.state = copied ? 'copied' : 'failed';
    button.textContent = copied ? text : words;
    setTimeout(() => {
      button.textContent = words;
      delete button.dataset.state;
    }, RESULT_MS);
  };
  // A property and not a child expression: the handler above overwrites the text.
  return html`<button
    part="copy"
    type="button"
    class=${look}
    aria-label=${words === t('copy') ? `${words}: ${label}` : words}
    .textContent=${words}
    @click=${copy}
  ></button>`;
}

/** @returns whether the text was copied; a browser may refuse access to the clipboard */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const nextCopy = (button: HTMLElement, part: string): HTMLElement | null =>
  button.closest('.block')?.querySelector<HTMLElement>(`[part="${part}"] + [part="copy"]`) ?? null;

/** Selects the value for a manual copy, and shows it first when it is not beside the button. */
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
