/** The tags of a page that sells one purchase. */
import { BEGIN_TEXT } from '../../relay/contract/begin-text.js';
import type { IntentRequest } from '../../relay/contract/requests.js';

export type CheckoutTag = {
  /** The relay's URL, for example `/pay` or `https://pay.shop.example`. */
  relay: string;
  /** What is sold, usually only `order_token`. */
  intent: IntentRequest;
  /** The nonce of the page's content security policy. */
  nonce?: string | undefined;
};

/**
 * The fields that the element reads; another name would become an attribute of the page. It is a
 * record, so that a new field of IntentRequest compiles only when it stands here.
 */
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

/** Enough between double quotes. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;' };
const attribute = (name: string, value: string): string =>
  ` ${name}="${value.replace(/[&"<]/g, (char) => ESCAPES[char] ?? char)}"`;

/** A backend without types may have built the intent from anything. */
function intentAttribute([field, value]: readonly [string, unknown]): string {
  if (!Object.hasOwn(FIELDS, field)) throw new TypeError(`intent: unknown field ${field}`);
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' && !Number.isFinite(value))
    throw new TypeError(`intent: ${field} is neither a text nor a number`);
  return attribute(field.replace(/_/g, '-'), String(value));
}

/**
 * Writes the script's tag, the element, and behind it the script that asks for the checkout while
 * the element's script is still loading.
 *
 * @returns HTML for the page's body
 * @throws TypeError for a field that the element does not read, for a value that is neither a text
 *   nor a finite number, and for a relay with a query or a fragment
 */
export function checkoutTag({ intent, nonce, relay }: CheckoutTag): string {
  if (/[?#]/.test(relay)) throw new TypeError(`relay: ${relay} has a query or a fragment`);
  const nonceAttribute = nonce ? attribute('nonce', nonce) : '';
  const attributes = Object.entries(intent).map(intentAttribute);
  const src = attribute('src', `${relay.replace(/\/+$/, '')}/pay-checkout.js`);
  return (
    `<script${src} defer${nonceAttribute}></script>\n` +
    `<pay-checkout${attributes.join('')}></pay-checkout>\n` +
    `<script${nonceAttribute}>${BEGIN_TEXT}</script>\n`
  );
}
