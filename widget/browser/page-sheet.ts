/** A style sheet for the page, or for a shadow root, that a content security policy allows. */

/**
 * @param root the page, or the shadow root of a component of the page
 * @returns a function that removes the sheet
 */
export function withSheet(css: string, root: Document | ShadowRoot = document): () => void {
  // A named element of the page can replace a property of the document, but not of its prototype.
  const { prototype } = root instanceof ShadowRoot ? ShadowRoot : Document;
  if (!('adoptedStyleSheets' in prototype)) return withStyleElement(css, root);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const others = (): CSSStyleSheet[] => {
    const all: CSSStyleSheet[] = Reflect.get(prototype, 'adoptedStyleSheets', root);
    return all.filter((other) => other !== sheet);
  };
  const adopt = (sheets: CSSStyleSheet[]): void => {
    Reflect.set(prototype, 'adoptedStyleSheets', sheets, root);
  };
  adopt([...others(), sheet]);
  return () => adopt(others());
}

/** A policy names the hash of this text (docs/guides/content-security-policy.md). */
export const NAMED_TEXT = '/**/';

/**
 * For Safari before 16.4 and Firefox before 101, which know only sheets of markup.
 *
 * @returns a function that removes the sheet
 */
export function withStyleElement(css: string, root: Document | ShadowRoot): () => void {
  const style = document.createElement('style');
  style.textContent = NAMED_TEXT;
  (root instanceof ShadowRoot ? root : document.documentElement).append(style);
  // A policy does not ask about rules that a script inserts, and this is one rule.
  style.sheet?.insertRule(`@media all{${css}}`);
  return () => style.remove();
}
