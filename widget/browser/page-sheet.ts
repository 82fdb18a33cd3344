/** A style sheet for the whole page, without markup that a content security policy would refuse. */
import { ownDocument } from './page.js';

/** @returns a function that removes the sheet */
export function withSheet(css: string): () => void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const others = (): CSSStyleSheet[] =>
    ownDocument('adoptedStyleSheets').filter((other) => other !== sheet);
  const adopt = (sheets: CSSStyleSheet[]): void => {
    Reflect.set(Document.prototype, 'adoptedStyleSheets', sheets, document);
  };
  adopt([...others(), sheet]);
  return () => adopt(others());
}
