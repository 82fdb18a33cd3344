/** Prevents the page from scrolling while at least one modal is open. */
import { ownDocument } from '../browser/page.js';

let sheet: CSSStyleSheet | null = null;
const holders = new Set<object>();

export function lockScroll(holder: object, locked: boolean): void {
  if (locked) holders.add(holder);
  else holders.delete(holder);
  if (!sheet) {
    if (!locked) return;
    sheet = new CSSStyleSheet();
    sheet.replaceSync('html{overflow:hidden;scrollbar-gutter:stable}');
  }
  const others = ownDocument('adoptedStyleSheets').filter((other) => other !== sheet);
  const sheets = holders.size > 0 ? [...others, sheet] : others;
  Reflect.set(Document.prototype, 'adoptedStyleSheets', sheets, document);
}
