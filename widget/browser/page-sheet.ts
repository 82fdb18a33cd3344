/** A style sheet for the whole page, without markup that a content security policy would refuse. */

/**
 * @param root the page, or the shadow root of a component of the page
 * @returns a function that removes the sheet
 */
export function withSheet(css: string, root: Document | ShadowRoot = document): () => void {
  // A named element of the page can replace a property of the document, but not of its prototype.
  const { prototype } = root instanceof ShadowRoot ? ShadowRoot : Document;
  // Safari before 16.4 and Firefox before 101 know only sheets of markup.
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

function withStyleElement(css: string, root: Document | ShadowRoot): () => void {
  const style = document.createElement('style');
  style.textContent = css;
  (root instanceof ShadowRoot ? root : document.documentElement).append(style);
  return () => style.remove();
}
