/** The relay of the script tag: `data-relay`, else the directory of the script. */
import { ownDocument } from './page.js';

const SCRIPT_URL = /^(.*)\/pay-checkout(-begin)?(\.[0-9a-f]+)?\.js$/;

const directoryOf = (script: HTMLScriptElement): string | null =>
  SCRIPT_URL.exec(script.src.split(/[?#]/)[0] ?? '')?.[1] ?? null;

/**
 * Reads the attribute, not `dataset`: `dataset` inherits from `Object.prototype`, where another
 * script of the page could set another relay.
 */
const namedBy = (script: HTMLScriptElement): string | null =>
  script.getAttribute('data-relay') ?? directoryOf(script);

/** Searches all scripts too, because a module has no `currentScript`. */
function fromScripts(read: (script: HTMLScriptElement) => string | null): string | null {
  if (typeof document === 'undefined') return null;
  // A script without an address may be a block of data, which foreign markup can contain.
  const others = Document.prototype.querySelectorAll.call(document, 'script[src]');
  for (const script of [ownDocument('currentScript'), ...others]) {
    const found = script instanceof HTMLScriptElement ? read(script) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Call it while the script runs: `currentScript` is null later. */
export const scriptRelay = (): string | null => fromScripts(namedBy);

/** The directory of the script, without a slash at its end; call it while the script runs. */
export const scriptDirectory = (): string | null => fromScripts(directoryOf);

/**
 * The relay's absolute URL, without a slash at its end. A relative URL is resolved against the
 * address of the page, because a `<base>` in foreign markup could lead to another host. `base` is
 * used only on a page without an HTTP address.
 *
 * @returns null when no relay is named, or its URL cannot be parsed
 */
export function absoluteRelay(named: string | null, base: string): string | null {
  const page = /^http/.test(location.href) ? location.href : base;
  if (named === null || !URL.canParse(named || '/', page)) return null;
  return new URL(named || '/', page).href.replace(/\/+$/, '');
}
