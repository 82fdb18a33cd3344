/** The relay of the script tag: `data-relay`, else the directory of the script. */
import { ownDocument } from './page.js';

const SCRIPT_URL = /^(.*)\/pay-checkout(\.[0-9a-f]+)?\.js$/;

const directoryOf = (script: HTMLScriptElement): string | null =>
  SCRIPT_URL.exec(script.src.split(/[?#]/)[0] ?? '')?.[1] ?? null;

/**
 * Reads the attribute, not `dataset`: `dataset` inherits from `Object.prototype`, where another
 * script of the page could set another relay.
 */
const namedBy = (script: HTMLScriptElement): string | null =>
  script.getAttribute('data-relay') ?? directoryOf(script);

/** A module searches all scripts: it has no `currentScript`. */
function fromScripts(read: (script: HTMLScriptElement) => string | null): string | null {
  if (typeof document === 'undefined') return null;
  const all = Document.prototype.querySelectorAll.call(document, 'script');
  for (const script of [ownDocument('currentScript'), ...all]) {
    const found = script instanceof HTMLScriptElement ? read(script) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Call it while the script runs: `currentScript` is null later. */
export const scriptRelay = (): string | null => fromScripts(namedBy);

/** The directory of the script, without a slash at its end; call it while the script runs. */
export const scriptDirectory = (): string | null => fromScripts(directoryOf);
