/** A test double of the relay: answers the backend's calls, and records them. */
import { Hono } from 'hono';
import { createShopBackend } from '../../../../demo/shop/backend.js';

export const SECRET_KEY = 'a-secret-key-of-the-tests';

type Placed = { outcome: string; amount: string; currency: string };
type TokenRequest = Record<
  'amount' | 'currency' | 'product_name' | 'customer_ref_id' | 'jti' | 'return_url',
  string
> & {
  expires_in: number;
};

export function shopBesideRelay() {
  const tokenRequests: TokenRequest[] = [];
  /** The relay's orders by intent, newest first. */
  const placed = new Map<string, Placed[]>();
  const relay = { isUnreachable: false, status: 200 };
  /** The intents that the backend asked to close, in order. */
  const closes: string[] = [];
  /** The code with which the relay refuses each close. */
  const refusals: { close?: string } = {};

  const app = new Hono().basePath('/pay');
  app.use(async (c, next) => {
    if (relay.status !== 200)
      return c.json({ error: { code: 'internal', message: 'secret detail', reference: 'r' } }, 500);
    if (c.req.header('authorization') !== `Bearer ${SECRET_KEY}`)
      return c.json({ error: { code: 'unauthorized', message: '', reference: 'r' } }, 401);
    await next();
  });
  app.post('/v1/order-tokens', async (c) => {
    const body = await c.req.json<TokenRequest>();
    tokenRequests.push(body);
    return c.json({
      order_token: `token-${tokenRequests.length}-for-${body.jti}`,
      expires_at: '2030-01-01T00:00:00.000Z',
    });
  });
  app.post('/v1/close', async (c) => {
    const { intent_id } = await c.req.json<{ intent_id: string }>();
    closes.push(intent_id);
    const code = refusals.close;
    return code === undefined
      ? c.json({ intent_id, closed_at: '2030-01-01T00:00:00.000Z' })
      : c.json({ error: { code, message: '', reference: 'r' } }, 409);
  });
  app.post('/v1/query', async (c) => {
    const { intent_id } = await c.req.json<{ intent_id: string }>();
    const attempts = placed.get(intent_id);
    return attempts
      ? c.json({ order: attempts[0], orders: attempts })
      : c.json({ error: { code: 'order_unknown', message: 'no such order', reference: 'r' } }, 404);
  });

  const shopWith = (secretKey: string) =>
    createShopBackend({
      relayUrl: () => 'http://relay.test/pay',
      secretKey,
      publicUrl: 'http://shop.test/',
      fetch: (url, init) => {
        if (relay.isUnreachable) throw new TypeError('fetch failed');
        return app.request(url, init);
      },
    });
  const shop = shopWith(SECRET_KEY);

  const call = async (path: string, init?: RequestInit, at = shop) => {
    const response = await at.fetch(new Request(`http://shop.test${path}`, init));
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const post = (body: unknown, at = shop) =>
    call(
      '/orders',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      },
      at,
    );
  return { tokenRequests, closes, refusals, placed, relay, call, post, shopWith };
}
