/** Which relay the element speaks with: its attribute names it, else the tag of the script. */
import { scriptRelay } from '../browser/script-relay.js';
import type { Host } from './host.js';

/** Read when the script runs; a page with the ESM build names the relay by attribute. */
const RELAY_OF_SCRIPT = scriptRelay();

/**
 * Absolute, without a slash at its end. A relative one is read from the page's address: a `<base>`
 * among the page's markup would lead to another host. A page without an address has only its base.
 */
export function relayOf(host: Host): string | null {
  const named = host.relay ?? RELAY_OF_SCRIPT;
  const page = /^http/.test(location.href) ? location.href : host.baseURI;
  if (named === null || !URL.canParse(named || '/', page)) return null;
  return new URL(named || '/', page).href.replace(/\/+$/, '');
}
