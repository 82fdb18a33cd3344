/** The shop's own backend: fixes prices, signs order tokens through the relay, and believes the relay alone about payments. */
import { Hono } from 'hono';
import { z } from 'zod';
import { addDecimals, multiplyDecimal } from '../../relay/contract/decimal.js';
import { CURRENCY, findProduct } from './products.js';

type Options = {
  /** Where the backend reaches the relay. */
  relayUrl: () => string;
  secretKey: string;
  /** Where the browser reaches the shop. */
  shopUrl: () => string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

type Line = { sku: string; name: string; quantity: number; sum: string };
type ShopOrder = { order_id: string; amount: string; currency: string; items: Line[] };
type State = 'paid' | 'waiting' | 'not_paid' | 'not_started' | 'unknown';

const newOrder = z.strictObject({
  items: z
    .array(z.strictObject({ sku: z.string(), quantity: z.int().min(1).max(20) }))
    .min(1)
    .max(20),
});
const tokenAnswer = z.object({ order_token: z.string() });
const queryAnswer = z.object({ order: z.object({ outcome: z.string() }) });

export function createShopBackend({ relayUrl, secretKey, shopUrl, fetch: ask = (url, init) => fetch(url, init) }: Options): {
  fetch: (request: Request) => Response | Promise<Response>;
} {
  const orders = new Map<string, ShopOrder>();

  const askRelay = (path: string, body: object): Promise<Response> =>
    ask(relayUrl() + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` },
      body: JSON.stringify(body),
    });

  /** The same jti each time, so that a reloaded page resumes its order. */
  const tokenFor = async ({ order_id, amount, currency, items }: ShopOrder): Promise<string> => {
    const response = await askRelay('/v1/order-tokens', {
      jti: order_id,
      amount,
      currency,
      product_name: items.length === 1 ? (items[0]?.name ?? '') : `Bean & Leaf, ${items.length} items`,
      customer_ref_id: `guest-${order_id.slice(0, 8)}`,
      return_url: `${shopUrl()}/thank-you.html?order=${order_id}`,
    });
    return tokenAnswer.parse(await response.json()).order_token;
  };

  const stateOf = async (orderId: string): Promise<State> => {
    try {
      const response = await askRelay('/v1/query', { intent_id: orderId });
      if (response.status === 404) return 'not_started';
      switch (queryAnswer.parse(await response.json()).order.outcome) {
        case 'succeeded':
          return 'paid';
        case 'failed':
        case 'expired':
          return 'not_paid';
        default:
          return 'waiting';
      }
    } catch {
      return 'unknown';
    }
  };

  const app = new Hono()
    .post('/orders', async (c) => {
      const body = newOrder.safeParse(await c.req.json().catch(() => null));
      if (!body.success)
        return c.json({ error: `${body.error.issues[0]?.path.join('.') ?? ''}: ${body.error.issues[0]?.message ?? ''}` }, 400);
      const items: Line[] = [];
      for (const { sku, quantity } of body.data.items) {
        const product = findProduct(sku);
        if (!product) return c.json({ error: `items: no product ${sku}` }, 400);
        items.push({ sku, name: product.name, quantity, sum: multiplyDecimal(product.price, quantity) });
      }
      const amount = items.map(({ sum }) => sum).reduce(addDecimals);
      const order = { order_id: crypto.randomUUID(), amount, currency: CURRENCY, items };
      orders.set(order.order_id, order);
      return c.json({ ...order, order_token: await tokenFor(order) }, 201);
    })
    .get('/orders/:id', async (c) => {
      const order = orders.get(c.req.param('id'));
      if (!order) return c.json({ error: 'no such order' }, 404);
      const state = await stateOf(order.order_id);
      return c.json({ ...order, state, ...(state === 'paid' ? {} : { order_token: await tokenFor(order) }) });
    });
  return { fetch: (request) => app.fetch(request) };
}
