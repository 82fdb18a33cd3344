/** The tags of a page that sells one purchase. */
import { BEGIN_TEXT } from '../../relay/contract/begin-text.js';
import type { IntentRequest } from '../../relay/contract/requests.js';

export type CheckoutTag = {
  /** The relay's URL, for example `/pay` or `https://pay.shop.example`. */
  relay: string;
  /** What is sold, usually only `order_token`. */
  intent: IntentRequest;
  /** The nonce of the page's content security policy. */
  nonce?: string;
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };
const attribute = (name: string, value: unknown): string =>
  ` ${name}="${String(value).replace(/[&"<]/g, (char) => ESCAPES[char] ?? char)}"`;

/**
 * Writes the script's tag, the element, and behind it the script that asks for the checkout while
 * the element's script is still loading.
 *
 * @returns HTML for the page's body
 */
export function checkoutTag({ intent, nonce, relay }: CheckoutTag): string {
  const allowed = nonce === undefined ? '' : attribute('nonce', nonce);
  const attributes = Object.entries(intent).flatMap(([name, value]) =>
    value === undefined ? [] : [attribute(name.replace(/_/g, '-'), value)],
  );
  const src = attribute('src', `${relay.replace(/\/+$/, '')}/pay-checkout.js`);
  return (
    `<script${src} defer${allowed}></script>\n` +
    `<pay-checkout${attributes.join('')}></pay-checkout>\n` +
    `<script${allowed}>${BEGIN_TEXT}</script>\n`
  );
}
