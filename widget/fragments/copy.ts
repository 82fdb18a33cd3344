/** Copies a value, and reports the result on the button, or below it when the copy fails. */
import type { ViewContext } from './view-context.js';

export type CopyTask = {
  readonly value: string;
  /** Announced after the copy; the focus moves to the copy button of `part`. */
  readonly then?: { readonly words: string; readonly part: string } | undefined;
};

/** How long the button shows the result. */
const RESULT_MS = 2000;

export async function copy(
  { actions, t }: ViewContext,
  button: HTMLButtonElement,
  { then, value }: CopyTask,
): Promise<void> {
  const copied = await copyText(value);
  const text = t(copied ? 'copied' : 'copy_failed');
  if (button.nextElementSibling?.matches('.error')) button.nextElementSibling.remove();
  if (!copied) {
    selectBeside(button, value);
    button.after(added('error', text));
  }
  actions.speak(then && copied ? then.words : text);
  // This mark stays, so that the customer sees which of two values is copied.
  if (copied) button.closest('.copy-field, .steps > li')?.classList.add('done');
  if (copied && then) nextCopy(button, then.part)?.focus();
  button.dataset.state = copied ? 'copied' : 'failed';
  if (copied) button.textContent = text;
  setTimeout(() => {
    // as the attribute says now: the language may have changed meanwhile
    button.textContent = button.dataset.text ?? '';
    delete button.dataset.state;
  }, RESULT_MS);
}

const nextCopy = (button: HTMLElement, part: string): HTMLElement | null =>
  button.closest('.block')?.querySelector<HTMLElement>(`[part="${part}"] + [part="copy"]`) ?? null;

/**
 * Selects the value for a manual copy, and shows it first when it is not beside the button. The
 * focus leaves the button before the value appears: the card then grows by motion
 * (element/screen-change.ts).
 */
function selectBeside(button: HTMLElement, value: string): void {
  button.blur();
  if (!button.previousElementSibling?.matches('.value')) {
    button.before(added('value payload', value));
  }
  const beside = button.previousElementSibling;
  if (!(beside instanceof HTMLElement)) return;
  beside.tabIndex = -1;
  beside.focus();
  getSelection()?.selectAllChildren(beside);
}

const added = (className: string, textContent: string): HTMLElement =>
  Object.assign(document.createElement('span'), { className, textContent });

/** @returns whether the text was copied; a browser may refuse access to the clipboard */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

/** Browsers inside apps, and frames of another origin, refuse the clipboard but take a command. */
function copyByCommand(text: string): boolean {
  let copied = false;
  const write = (event: ClipboardEvent): void => {
    event.preventDefault();
    // the page may prevent copies
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
    copied = true;
  };
  addEventListener('copy', write, true);
  document.execCommand('copy');
  removeEventListener('copy', write, true);
  return copied;
}
