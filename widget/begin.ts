/**
 * Asks the relay for the checkout of each element of the page, and for its texts. It places no
 * order. The element's script runs it first; a page can have it behind the element's tag
 * (contract/begin-text.ts), where it runs while that script is still loading.
 *
 * It reads the attributes as the element does, so that it asks for nothing that the element would
 * not ask for.
 */
import { paths, textsPath } from '../relay/contract/paths.js';
import { BEGUN, type MaybeBegun } from './browser/begun.js';
import { absoluteRelay, scriptRelay } from './browser/script-relay.js';
import { readSubject, SUBJECT_PROPERTIES, type Attributes } from './checkout/read-subject.js';
import { loaded } from './loaded-files.js';
import { languageNamed } from './texts/language.js';

/** After this time the request is aborted, and the element sends its own. */
const MAX_WAIT_MS = 15_000;

/** As the element finds it, so that no foreign markup leads a token to another host. */
const SCRIPT_RELAY = scriptRelay();

const isAttempt = (key: string): boolean => /^pay-checkout:(?!(choice|wallet)$)/.test(key);

const find = (selector: string): Element[] =>
  // not a property of `document`, which a form of the page may hide
  [...Document.prototype.querySelectorAll.call(document, selector)];

type Host = Element & MaybeBegun & { readonly fetch?: unknown };

/** @returns null without a relay, or when the element has a function of its own to ask with */
const relayOf = (host: Host): string | null =>
  host.fetch
    ? null
    : absoluteRelay(host.getAttribute('relay')?.trim() ?? SCRIPT_RELAY, host.baseURI);

function ask(url: string, init?: RequestInit): Promise<Response> {
  const abort = new AbortController();
  setTimeout(() => abort.abort(), MAX_WAIT_MS);
  return fetch(url, { ...init, credentials: 'omit', signal: abort.signal });
}

function askTexts(host: Host): void {
  const relay = relayOf(host);
  const url = relay + textsPath(host.getAttribute('locale')?.trim() || languageNamed(host));
  if (relay === null || loaded.has(url)) return;
  const texts = ask(url).then((response) => (response.ok ? response.json() : Promise.reject()));
  loaded.set(url, texts);
  // the element sends a request of its own
  texts.catch(() => loaded.delete(url));
}

function askCheckout(host: Host): void {
  const from: Partial<Attributes> = {};
  for (const name of SUBJECT_PROPERTIES)
    from[name] = host.getAttribute(name.replace(/[A-Z]/g, '-$&').toLowerCase())?.trim() ?? null;
  const read = readSubject(from);
  const relay = relayOf(host);
  if (!read || !('subject' in read) || !('intent' in read.subject) || relay === null) return;
  // the page has asked already, or has the answer
  if (BEGUN in host || host.querySelector('script')) return;
  // An attempt of an earlier visit names the order, and the element sends it. An order token names
  // its order itself. The token of a pay link does not; it contains no full stop.
  if (!from.orderToken?.includes('.') && Object.keys(localStorage).some(isAttempt)) return;
  const intent = JSON.stringify(read.subject.intent);
  // without a content type it is text/plain, which needs no preflight
  const response = ask(relay + paths.checkout, { method: 'POST', body: intent });
  // The element repeats a failed request, and shows the problem.
  response.catch(() => {});
  Object.assign(host, { [BEGUN]: { relay, intent, response } });
}

// A defined element sends its own request.
if (globalThis.document && !customElements.get('pay-checkout'))
  for (const host of find('pay-checkout'))
    for (const begin of [askCheckout, askTexts])
      try {
        begin(host);
      } catch {
        // the address cannot be parsed, or the frame has no storage: the element asks
      }
