/** While a modal is open the page behind it does not scroll; several elements may each have one open. */
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
  const others = document.adoptedStyleSheets.filter((other) => other !== sheet);
  document.adoptedStyleSheets = holders.size > 0 ? [...others, sheet] : others;
}
