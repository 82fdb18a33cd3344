/** A customer who pays in a test checkout. */
import assert from 'node:assert/strict';
import type { TestCheckout } from '../../../relay/testing/index.js';
import { fetchOrder, signOrderToken } from '../../../widget/shop/index.js';
import { until } from './wait.js';

/**
 * @param origin an origin of the checkout
 * @returns the request_id of the order with which a customer paid the intent
 */
export async function payIntent(
  { customerPhone, order_token_key, relay, secret_key }: TestCheckout,
  { origin, ...sale }: { jti: string; amount: string; currency: string; origin: string },
): Promise<string> {
  const terms = { ...sale, product_name: 'A lamp', customer_ref_id: 'customer-42' };
  const order_token = await signOrderToken({ aud: relay, ...terms }, order_token_key);
  const response = await fetch(`${relay}/v1/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ order_token, attempt: crypto.randomUUID(), option: 'sbp' }),
  });
  assert.equal(response.status, 200, await response.text());
  await customerPhone.confirm();
  const intent = { intent_id: sale.jti };
  const find = async () => (await fetchOrder({ relay, secret_key }, intent)).order;
  await until(async () => (await find()).outcome === 'succeeded', 'the payment');
  return (await find()).request_id;
}

/** A `fetch` to a relay that refuses to close an intent, because an order of it is paid. */
export const paidRelay =
  (resolved_as?: 'failed') =>
  async (url: string | URL | Request): Promise<Response> =>
    String(url).endsWith('/v1/close')
      ? Response.json({ error: { code: 'already_paid', message: 'paid' } }, { status: 409 })
      : Response.json({ order: { outcome: 'succeeded', resolved_as }, orders: [] });
