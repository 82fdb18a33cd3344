/** The relay of the script tag: `data-relay`, else the directory of the script. */
import { ownDocument } from './page.js';

const SCRIPT_URL = /^(.*)\/pay-checkout(\.[0-9a-f]+)?\.js$/;

/**
 * Reads the attribute, not `dataset`: `dataset` inherits from `Object.prototype`, where another
 * script of the page could set another relay.
 */
const namedBy = (script: HTMLScriptElement): string | null =>
  script.getAttribute('data-relay') ??
  SCRIPT_URL.exec(script.src.split(/[?#]/)[0] ?? '')?.[1] ??
  null;

/** Call it while the script runs: `currentScript` is null later. A module searches all scripts. */
export function scriptRelay(): string | null {
  if (typeof document === 'undefined') return null;
  const all = Document.prototype.querySelectorAll.call(document, 'script');
  for (const script of [ownDocument('currentScript'), ...all]) {
    const relay = script instanceof HTMLScriptElement ? namedBy(script) : null;
    if (relay !== null) return relay;
  }
  return null;
}
