/** Runs the blocks that need no build of a framework. Each block does what its page says. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import pg from 'pg';
import { payCheckout } from '../../../relay/adapters/next.js';
import type { BackendOrder } from '../../../widget/shop/index.js';
import { createShop, type Shop } from '../../suite/relay/routes/shop.js';
import { startPostgres } from '../../suite/support/postgres.js';
import { openIntent, SECRETS, testConfig, until } from '../../suite/support/world.js';
import { codeBlocks } from './code-blocks.js';
import { runBlock } from './run-block.js';

const folder = mkdtempSync(join(tmpdir(), 'blocks-'));
after(() => rmSync(folder, { recursive: true }));
Object.assign(process.env, SECRETS);
const config = join(folder, 'relay.config.json');
writeFileSync(config, JSON.stringify(testConfig));

const blockOf = (page: string, text: string): string => {
  const found = codeBlocks('js').find((each) => each.page === page && each.code.includes(text));
  assert.ok(found, `${page} has a block with ${text}`);
  return found.code;
};

const MOUNT = 'docs/guides/mount-the-relay.md';
/** Runs a block of the guide, and also exports its relay, so that the test can close it. */
const mount = (text: string, given: Readonly<Record<string, unknown>> = {}) =>
  runBlock(blockOf(MOUNT, text), given, {
    'relay.config.json': config,
    'const relay =': 'export const relay =',
    'const pay =': 'export const pay =',
  });
type Closing = { close(): unknown };
/** Closed at the end, because a relay that a failed test leaves open keeps the process alive. */
const opened: Closing[] = [];
after(async () => {
  for (const each of opened) await each.close();
});

type Handle = (request: Request) => Promise<Response> | Response;

/** Asserts that the mounted relay answers a checkout with the page's amount. */
async function assertCheckout(handle: Handle): Promise<void> {
  const response = await handle(
    new Request('http://127.0.0.1/pay/v1/checkout', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(openIntent),
    }),
  );
  const text = await response.text();
  assert.equal(response.status, 200, text);
  const { checkout } = JSON.parse(text) as { checkout?: { amount: string } };
  assert.equal(checkout?.amount, openIntent.amount, text);
}

/** Sends the request to a server that listens. */
const sendTo =
  (port: number): Handle =>
  async (request) => {
    const url = request.url.replace('127.0.0.1', `127.0.0.1:${port}`);
    return fetch(url, {
      method: 'POST',
      headers: request.headers,
      body: await request.text(),
    });
  };

describe('the guide to mounting', () => {
  it('runs the relay in Express when its lines are added to an app', async () => {
    const app = express();
    const use = (path: string, handler: express.Handler & Closing): unknown => {
      opened.push(handler);
      return app.use(path, handler);
    };
    let server!: Server;
    let started: unknown;
    const listen = (_port: number, start: () => unknown): void => {
      server = app.listen(0, '127.0.0.1', () => (started = start()));
    };
    await mount('// Express', { app: { listen, use } });
    opened.push({ close: () => (server.closeAllConnections(), server.close()) });
    await once(server, 'listening');
    assert.ok(started instanceof Promise, 'the relay starts when the server listens');
    await started;
    await assertCheckout(sendTo((server.address() as AddressInfo).port));
  });

  it('runs the relay in Fastify when its lines are added to an app', async () => {
    const app = fastify();
    await mount('// Fastify', { app });
    opened.push(app);
    await app.listen({ port: 0, host: '127.0.0.1' });
    await assertCheckout(sendTo((app.server.address() as AddressInfo).port));
  });

  it('runs the relay in Hono when its lines are added to an app', async () => {
    const app = new Hono();
    const route = (path: string, pay: Hono & Closing): unknown => {
      opened.push(pay);
      return app.route(path, pay);
    };
    await mount('// Hono', { app: { route } });
    await assertCheckout((request) => app.fetch(request));
  });

  it('runs the relay in Next.js when its lines are a route', async () => {
    const { POST, relay } = (await mount('// Next.js')) as { POST: Handle; relay: Closing };
    opened.push(relay);
    await assertCheckout(POST);
  });

  it('starts the relay of Next.js when its lines are instrumentation.ts', async () => {
    const file = join(folder, 'next.config.json');
    const ledger = join(folder, 'next.db');
    writeFileSync(file, JSON.stringify({ ...testConfig, ledger: `sqlite:${ledger}` }));
    const block = blockOf(MOUNT, '// Next.js, in instrumentation.ts');
    const { register } = (await runBlock(block, {}, { 'relay.config.json': file })) as {
      register(): Promise<void>;
    };
    await register();
    assert.equal(existsSync(ledger), false, 'Next.js loads the file for its edge runtime too');
    process.env.NEXT_RUNTIME = 'nodejs';
    await register();
    opened.push(payCheckout({ config: file, path: '/pay' }));
    assert.equal(existsSync(ledger), true);
  });

  it('runs the relay on Deno and Bun when its lines are the server', async () => {
    const { default: server, pay } = (await mount('// server.js')) as {
      default: { fetch: Handle };
      pay: Closing;
    };
    opened.push(pay);
    await assertCheckout((request) => server.fetch(request));
  });
});

/** Lets the shop's relay answer a block's requests to the relay address that the page names. */
async function withRelay(
  { world }: Shop,
  run: () => Promise<void>,
  afterwards: (path: string, answer: Record<string, unknown>) => Promise<void> = async () => {},
): Promise<void> {
  const { fetch } = globalThis;
  globalThis.fetch = async (url, init) => {
    const address = String(url).replace('https://shop.example/pay/', 'https://shop.example/');
    const response = await world.relay.fetch(new Request(address, init));
    const answer = (await response.clone().json()) as Record<string, unknown>;
    await afterwards(new URL(address).pathname, answer);
    return response;
  };
  try {
    await run();
  } finally {
    globalThis.fetch = fetch;
  }
}

const PACKAGE = 'docs/packages/pay-checkout.md';

describe('the page of the package', () => {
  it('asks the relay for a token, the paid order, a closed intent and a pay link', async () => {
    const shop = await createShop();
    const delivered: BackendOrder[] = [];
    const deliver = (order: BackendOrder): number => delivered.push(order);
    /** A customer pays between the token and the query. */
    const payWith = async (path: string, { order_token }: Record<string, unknown>) => {
      if (path !== '/v1/order-tokens') return;
      const attempt = crypto.randomUUID();
      const { body } = await shop.world.ask('/v1/pay', { order_token, attempt, option: 'qr' });
      await shop.customerPays(body.order?.request_id ?? '');
      const isPaid = async (): Promise<boolean> =>
        (await shop.query('order-10042')).body.order?.outcome === 'succeeded';
      await until(isPaid, 'the payment');
    };
    const code = blockOf(PACKAGE, 'createPayLink');
    await withRelay(
      shop,
      async () => void (await runBlock(code, { deliver, secret_key: SECRETS.SECRET })),
      payWith,
    );
    assert.deepEqual(
      delivered.map(({ intent_id, outcome }) => [intent_id, outcome]),
      [['order-10042', 'succeeded']],
    );
    await shop.world.relay.close();
  });

  it('records the paid order by its reconciliation, and refuses an unsigned event', async (t) => {
    t.mock.method(console, 'warn', () => {});
    const postgres = await startPostgres();
    const pool = new pg.Pool({ connectionString: await postgres.database() });
    const paid = async (): Promise<unknown[]> =>
      (await pool.query('select id from orders where paid_by is not null')).rows;
    const shop = await createShop();
    try {
      await pool.query('create table orders (id text, amount text, currency text, paid_by text)');
      for (const id of ['order-001', 'order-002'])
        await pool.query('insert into orders values ($1, $2, $3, null)', [id, '12.50', 'USD']);
      const { body } = await shop.pay('order-001');
      await shop.customerPays(body.order?.request_id ?? '');
      const hasEvent = async (): Promise<boolean> =>
        (await shop.receivedTypes()).includes('order.succeeded');
      await until(hasEvent, 'the event');
      const saved: string[] = [];
      const cursor = {
        load: async () => saved.at(-1),
        save: async (value: string) => saved.push(value),
      };
      process.env.SHOP_EVENTS_SECRET = SECRETS.SECRET;
      const code = blockOf(PACKAGE, 'pgStore');
      // the shop has received no event, so its reconciliation at start records the payment
      await withRelay(shop, async () => {
        const given = { pool, cursor, secret_key: SECRETS.SECRET };
        const { POST } = (await runBlock(code, given)) as { POST: Handle };
        assert.deepEqual(await paid(), [{ id: 'order-001' }]);
        assert.equal(saved.length, 1);
        assert.equal(
          (await POST(new Request('https://shop.example', { method: 'POST' }))).status,
          401,
        );
      });
    } finally {
      await pool.end();
      await postgres.stop();
      await shop.world.relay.close();
    }
  });
});
