/**
 * The shop's backend sets the prices, requests order tokens from the relay, and trusts only the
 * relay about payments.
 */
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { RelayError } from '../../widget/shop/index.js';
import { customerRef, readNewOrder } from './new-order.js';
import { createOrderBook, type ShopOrder } from './order-book.js';
import { CURRENCY, products } from './products.js';
import { relayCalls } from './relay-calls.js';

type Send = (url: string, init: RequestInit) => Response | Promise<Response>;

type Options = {
  /** The relay's address for the backend. */
  relayUrl: string | (() => string);
  secretKey: string;
  /** The shop's address for the browser. */
  publicUrl: string | (() => string);
  fetch?: Send;
};

const ID = /^[A-Za-z0-9_-]{8,56}$/;
const errorBody = (code: string, message: string, field?: string) => ({
  error: { code, message, ...(field !== undefined && { field }) },
});

export function createShopBackend({
  relayUrl,
  secretKey,
  publicUrl,
  fetch: ask = (url, init) => fetch(url, init),
}: Options): {
  fetch: (request: Request) => Response | Promise<Response>;
} {
  const relay = relayCalls({
    // the address of a relay in the same process is known only when it listens
    get relay() {
      return typeof relayUrl === 'string' ? relayUrl : relayUrl();
    },
    secret_key: secretKey,
    fetch: async (url, init) => ask(url, init),
  });
  const orders = createOrderBook();

  const returnUrl = ({ order_id }: ShopOrder): string => {
    const base = typeof publicUrl === 'string' ? publicUrl : publicUrl();
    return `${base.replace(/\/+$/, '')}/thank-you.html?order=${order_id}`;
  };
  const publicOrder = (order: ShopOrder) => {
    const { order_id, amount, currency, items } = order;
    return { order_id, amount, currency, items, return_url: returnUrl(order) };
  };

  const app = new Hono();
  // no cache may store an order or its token
  app.use(async (c, next) => {
    await next();
    c.header('cache-control', 'no-store');
  });

  // the other fields of a product are for the shop's own pages
  app.get('/products', (c) =>
    c.json({
      currency: CURRENCY,
      products: products.map(({ sku, name, origin, note, size, price }) => ({
        sku,
        name,
        origin,
        note,
        size,
        price,
      })),
    }),
  );

  app.post(
    '/orders',
    bodyLimit({
      maxSize: 16_384,
      onError: (c) => c.json(errorBody('body_too_large', 'The order is too long.'), 413),
    }),
    async (c) => {
      const parsed = readNewOrder(await c.req.json().catch(() => undefined));
      if ('field' in parsed)
        return c.json(
          errorBody('invalid_request', `${parsed.field}: ${parsed.message}`, parsed.field),
          400,
        );
      // else both baskets could be paid: the customer may have the code of the former one
      const former = orders.find(parsed.wanted.former ?? '');
      if (former && !(await relay.close(former)))
        return c.json({ ...publicOrder(former), ...(await relay.payment(former)) });
      const order = orders.open(parsed.wanted.lines, await customerRef(parsed.wanted.customer));
      const order_token = await relay.orderToken(order, returnUrl(order));
      orders.keep(order);
      return c.json({ ...publicOrder(order), order_token }, 201);
    },
  );

  // `?token=no` is for a page that needs the state only
  app.get('/orders/:id', async (c) => {
    const id = c.req.param('id');
    const order = ID.test(id) ? orders.find(id) : undefined;
    if (!order) return c.json(errorBody('order_unknown', 'This shop has no such order.'), 404);
    const payment = await relay.payment(order);
    // when the relay gives no token, the page still receives the state
    const orderToken =
      payment.state === 'paid' || c.req.query('token') === 'no'
        ? null
        : await relay.orderToken(order, returnUrl(order)).catch(() => null);
    return c.json({
      ...publicOrder(order),
      ...payment,
      ...(orderToken !== null && { order_token: orderToken }),
    });
  });

  app.notFound((c) => c.json(errorBody('not_found', 'The shop has nothing here.'), 404));
  app.onError((error, c) =>
    error instanceof RelayError
      ? c.json(
          errorBody(
            'payment_unavailable',
            'We cannot reach the payment service right now. ' +
              'Nothing was charged for this basket; please try again in a minute.',
          ),
          503,
        )
      : c.json(errorBody('internal', 'Something went wrong on our side. Please try again.'), 500),
  );
  return { fetch: (request) => app.fetch(request) };
}
