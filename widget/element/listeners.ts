/** The listeners on the element itself. */
import type { ScreenChange } from './screen-change.js';

export function listenOn(
  host: HTMLElement & { show(): void },
  { beforeUnfolding, dropEarlyTap }: ScreenChange,
): void {
  host.addEventListener('click', dropEarlyTap, { capture: true });
  for (const cause of ['click', 'input', 'focusout'])
    host.addEventListener(cause, beforeUnfolding, { capture: true });
  for (const type of ['keydown', 'keypress', 'keyup']) host.addEventListener(type, keepKeys);
  // When a form reports the element as invalid, the message needs a visible anchor.
  host.addEventListener('invalid', () => host.show(), { capture: true });
}

/**
 * Keeps what the customer types in the card's text fields from the hot keys of the page: these see
 * the element as the target, and not a text field. Tab and Escape pass, because a dialog of the
 * page keeps the focus and closes by them.
 */
function keepKeys(event: Event): void {
  const [field] = event.composedPath();
  const isTyped =
    field instanceof HTMLInputElement &&
    !/^(radio|checkbox)$/.test(field.type) &&
    event instanceof KeyboardEvent &&
    !/^(Tab|Escape)$/.test(event.key);
  if (isTyped) event.stopPropagation();
}
