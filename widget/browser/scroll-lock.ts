/** Prevents the page from scrolling while at least one modal is open. */
import { withSheet } from './page-sheet.js';

let unlock: (() => void) | null = null;
const holders = new Set<object>();

export function lockScroll(holder: object, locked: boolean): void {
  if (locked) holders.add(holder);
  else holders.delete(holder);
  if (holders.size === 0) {
    unlock?.();
    unlock = null;
  }
  if (holders.size === 0 || unlock) return;
  // Padding takes the place of the scroll bar, so that the page does not jump.
  const scrollBarPx = innerWidth - document.documentElement.clientWidth;
  unlock = withSheet(`html{overflow:hidden;padding-inline-end:${scrollBarPx}px}`);
}
