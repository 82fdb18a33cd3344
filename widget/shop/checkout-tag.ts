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

/** The fields that the element reads; another name would become an attribute of the page. */
const FIELDS: Readonly<Record<keyof IntentRequest, true>> = {
  order_token: true,
  sku: true,
  quantity: true,
  amount: true,
  currency: true,
  pay_currency: true,
  product_name: true,
  remark: true,
  customer_ref_id: true,
  return_url: true,
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };
const attribute = (name: string, value: string | number): string =>
  ` ${name}="${String(value).replace(/[&"<]/g, (char) => ESCAPES[char] ?? char)}"`;

/** A backend without types may have built the intent from anything. */
function intentAttribute([field, value]: readonly [string, unknown]): string {
  if (!Object.hasOwn(FIELDS, field)) throw new TypeError(`intent: unknown field ${field}`);
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' && typeof value !== 'number')
    throw new TypeError(`intent: ${field} is neither a text nor a number`);
  return attribute(field.replace(/_/g, '-'), value);
}

/**
 * Writes the script's tag, the element, and behind it the script that asks for the checkout while
 * the element's script is still loading.
 *
 * @returns HTML for the page's body
 * @throws TypeError for a field that the element does not read, and a relay with a query
 */
export function checkoutTag({ intent, nonce, relay }: CheckoutTag): string {
  if (/[?#]/.test(relay)) throw new TypeError(`relay: ${relay} has a query or a fragment`);
  const allowed = nonce ? attribute('nonce', nonce) : '';
  const attributes = Object.entries(intent).map(intentAttribute);
  const src = attribute('src', `${relay.replace(/\/+$/, '')}/pay-checkout.js`);
  return (
    `<script${src} defer${allowed}></script>\n` +
    `<pay-checkout${attributes.join('')}></pay-checkout>\n` +
    `<script${allowed}>${BEGIN_TEXT}</script>\n`
  );
}
