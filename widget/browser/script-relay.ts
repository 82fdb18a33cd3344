/** The relay that the script tag names: `data-relay`, else the directory the script came from. */
import { ownDocument } from './page.js';

const NAME = /^(.*)\/pay-checkout(\.[0-9a-f]+)?\.js$/;

/**
 * Not by `dataset`, which also says what `Object.prototype` says: a page's other script could name
 * another relay there.
 */
const namedBy = (script: HTMLScriptElement): string | null =>
  script.getAttribute('data-relay') ?? NAME.exec(script.src.split(/[?#]/)[0] ?? '')?.[1] ?? null;

/** Read while the script runs: a classic script knows its own tag then, a module looks for it. */
export function scriptRelay(): string | null {
  if (typeof document === 'undefined') return null;
  const all = Document.prototype.querySelectorAll.call(document, 'script');
  for (const script of [ownDocument('currentScript'), ...all]) {
    const relay = script instanceof HTMLScriptElement ? namedBy(script) : null;
    if (relay !== null) return relay;
  }
  return null;
}
