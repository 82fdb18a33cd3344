/**
 * A server with the relay and the shop, for Node.js, Deno and Bun. Its argument names a module whose
 * shop runs elsewhere.
 */
import { Hono } from 'hono';
import { payCheckout } from 'pay-checkout-relay/hono';

const { createShop } = await import(process.argv[2] ?? './shop.mjs');
const { config, port, shop } = JSON.parse(process.env.SETUP);
const hostname = '127.0.0.1';
const pay = payCheckout({ config });
const handle = await createShop(shop);
const app = new Hono().route('/pay', pay).all('/shop/*', (c) => handle(c.req.raw));

await pay.start();
if ('Deno' in globalThis) Deno.serve({ port, hostname }, app.fetch);
else if ('Bun' in globalThis) Bun.serve({ port, hostname, fetch: app.fetch });
else (await import('@hono/node-server')).serve({ port, hostname, fetch: app.fetch });
