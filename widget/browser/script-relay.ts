/** The relay of the script tag: `data-relay`, else the directory of the script. */
import { ownDocument } from './page.js';
import { parseUrl } from './parse-url.js';

const SCRIPT_URL = /^(.*)\/pay-checkout(\.[0-9a-f]+)?\.js$/;

const directoryOf = (script: HTMLScriptElement): string | null =>
  SCRIPT_URL.exec(script.src.split(/[?#]/)[0] ?? '')?.[1] ?? null;

/**
 * Reads the attribute, not `dataset`: `dataset` inherits from `Object.prototype`, where another
 * script of the page could set another relay.
 */
const namedBy = (script: HTMLScriptElement): string | null =>
  script.getAttribute('data-relay') ?? directoryOf(script);

/**
 * Call it while the script runs: `currentScript` is null later. All scripts are searched too,
 * because a module has no `currentScript`.
 */
export function scriptRelay(): string | null {
  if (typeof document === 'undefined') return null;
  // A script without an address may be a block of data, which foreign markup can contain.
  const others = Document.prototype.querySelectorAll.call(document, 'script[src]');
  for (const script of [ownDocument('currentScript'), ...others]) {
    const found = script instanceof HTMLScriptElement ? namedBy(script) : null;
    if (found !== null) return found;
  }
  return null;
}

let isWarned = false;

/**
 * The relay that a page names for a script without an address of its own: a shop's build may bundle
 * the script, write it into the page, or import it. Else it is `/pay`, where most shops have it.
 * Only the head counts, because foreign markup stands in the body.
 */
export function pageRelay(): string | null {
  if (!/^http/.test(location.href)) return null;
  const link = Document.prototype.querySelector.call(document, 'head > link[rel="pay-checkout"]');
  const named = link && Element.prototype.getAttribute.call(link, 'href');
  if (named !== null || isWarned) return named ?? '/pay';
  isWarned = true;
  console.warn('<pay-checkout> relay: no attribute or script names it, so it is /pay of the page');
  return '/pay';
}

/**
 * The relay's absolute URL, without a slash at its end. A relative URL is resolved against the
 * address of the page, because a `<base>` in foreign markup could lead to another host. `base` is
 * used only on a page without an HTTP address.
 *
 * @returns null when no relay is named, or its URL cannot be parsed
 */
export function absoluteRelay(named: string | null, base: string): string | null {
  const page = /^http/.test(location.href) ? location.href : base;
  const url = named === null ? null : parseUrl(named || '/', page);
  return url && url.href.replace(/\/+$/, '');
}
