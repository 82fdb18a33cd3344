/**
 * Asks the relay for the checkout of each element of the page, and places no order. The element's
 * script runs it first; a page can have it behind the element's tag (contract/begin-text.ts), where
 * it runs while that script is still loading.
 *
 * The attributes are not checked: the element uses an answer only when it would have asked for the
 * same intent at the same relay.
 */
import { paths } from '../relay/contract/paths.js';
import { BEGUN, type MaybeBegun } from './browser/begun.js';
import { scriptRelay } from './browser/script-relay.js';

/** The attributes of an intent. */
const ATTRIBUTES =
  'order-token sku quantity amount currency pay-currency product-name remark customer-ref-id ' +
  'return-url';
/** After this time the request is aborted, and the element sends its own. */
const MAX_WAIT_MS = 10_000;

/** As the element finds it, so that no foreign markup leads a token to another host. */
const SCRIPT_RELAY = scriptRelay();

const isAttempt = (key: string): boolean => /^pay-checkout:(?!(choice|wallet)$)/.test(key);

const find = (selector: string): Element[] =>
  // not a property of `document`, which a form of the page may hide
  [...Document.prototype.querySelectorAll.call(document, selector)];

function beginFor(host: Element & MaybeBegun & { readonly fetch?: unknown }): void {
  const named = host.getAttribute('relay') ?? SCRIPT_RELAY;
  const fields = ATTRIBUTES.split(' ').flatMap((name) => {
    const value = host.getAttribute(name)?.trim();
    if (!value) return [];
    return [[name.replace(/-/g, '_'), name === 'quantity' ? Number(value) : value]];
  });
  if (named === null || fields.length === 0 || host.hasAttribute('deposit')) return;
  // the page has the answer, or the element has a function of its own to ask with
  if (host.querySelector('script') || host.fetch) return;
  // without a token, an attempt of an earlier visit names the order, and the element sends it
  if (!host.hasAttribute('order-token') && Object.keys(localStorage).some(isAttempt)) return;
  const relay = new URL(named, location.href).href.replace(/\/+$/, '');
  const intent = JSON.stringify(Object.fromEntries(fields));
  const abort = new AbortController();
  setTimeout(() => abort.abort(), MAX_WAIT_MS);
  // without a content type it is text/plain, which needs no preflight
  const response = fetch(relay + paths.checkout, {
    method: 'POST',
    body: intent,
    credentials: 'omit',
    signal: abort.signal,
  });
  // The element repeats a failed request, and shows the problem.
  response.catch(() => {});
  Object.assign(host, { [BEGUN]: { relay, intent, response } });
}

// A defined element sends its own request.
if (globalThis.document && !customElements.get('pay-checkout'))
  for (const host of find('pay-checkout'))
    try {
      if (!(BEGUN in host)) beginFor(host);
    } catch {
      // the address cannot be parsed, or the frame has no storage: the element asks
    }
