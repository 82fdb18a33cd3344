/**
 * The small script pay-checkout-begin.js: asks the relay for the checkout of each element of the
 * page while the element's own script is still loading. It places no order.
 */
import { paths } from '../relay/contract/paths.js';
import { BEGUN, type MaybeBegun } from './browser/begun.js';
import { ownDocument } from './browser/page.js';
import { absoluteRelay, scriptRelay } from './browser/script-relay.js';
import { readSubject, SUBJECT_PROPERTIES, type Attributes } from './checkout/read-subject.js';
import { limited } from './signals.js';

const TAG = 'pay-checkout';
/** After this time the request is aborted, and the element sends its own. */
const MAX_WAIT_MS = 10_000;
const SCRIPT_RELAY = scriptRelay();

const attributeOf = (property: string): string =>
  property.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

const attributesOf = (host: Element): Attributes =>
  Object.assign(
    {} as Attributes,
    ...SUBJECT_PROPERTIES.map((name) => ({ [name]: host.getAttribute(attributeOf(name)) })),
  );

function beginFor(host: Element & MaybeBegun): void {
  const read = readSubject(attributesOf(host));
  const relay = absoluteRelay(host.getAttribute('relay') ?? SCRIPT_RELAY, host.baseURI);
  if (relay === null || !read || !('subject' in read) || !('intent' in read.subject)) return;
  const intent = JSON.stringify(read.subject.intent);
  const response = fetch(relay + paths.checkout, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: intent,
    credentials: 'omit',
    signal: limited(MAX_WAIT_MS).signal,
  });
  // The element repeats a failed request, and shows the problem.
  response.catch(() => {});
  Object.assign(host, { [BEGUN]: { relay, intent, response } });
}

function begin(): void {
  // A defined element sends its own request.
  if (customElements.get(TAG)) return;
  for (const host of Document.prototype.querySelectorAll.call(document, TAG))
    if (!(BEGUN in host)) beginFor(host);
}

begin();
if (ownDocument('readyState') === 'loading') addEventListener('DOMContentLoaded', begin);
