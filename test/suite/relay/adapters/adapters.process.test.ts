/** The relay inside the real Express, Fastify and Hono, and as route handlers of Next.js. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { serve } from '@hono/node-server';
import express, { type RequestHandler } from 'express';
import express4 from 'express-4';
import fastify from 'fastify';
import { Hono } from 'hono';
import { payCheckout as expressMount } from '../../../../relay/adapters/express.js';
import { payCheckout as fastifyMount } from '../../../../relay/adapters/fastify.js';
import { payCheckout as honoMount } from '../../../../relay/adapters/hono.js';
import type { MountOptions } from '../../../../relay/adapters/mounted-relay.js';
import { payCheckout as nextMount } from '../../../../relay/adapters/next.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import type { Sign } from '../../../../relay/order-service/send/signing.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { serveSandbox } from '../../../../relay/sandbox/serve.js';
import { openIntent, postRequest, SECRETS, testConfig, until } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { findOrder } from '../../support/ledger-calls.js';

const folder = temporaryFolder('adapters');
Object.assign(process.env, SECRETS);

/** A server with the relay at `/pay`, and a route of its own that reads JSON. */
type Running = { url: string; close(): Promise<unknown> };
type Start = (options: MountOptions) => Promise<Running>;

const close = (server: { close(done: () => void): unknown }): Promise<void> =>
  new Promise((resolve) => void server.close(resolve));
const urlOf = (address: AddressInfo | string | null): string =>
  `http://127.0.0.1:${(address as AddressInfo).port}`;

/** Express 4 warns when this option is absent. */
const NESTED = { extended: true };

/**
 * Starts an Express of either major version; its types are those of Express 5.
 *
 * @param parsers run before the mount, and read the body of every request of their types
 */
const expressServer =
  (create: typeof express, ...parsers: RequestHandler[]): Start =>
  async (options) => {
    const pay = expressMount(options);
    const app = create();
    for (const parser of parsers) app.use(parser);
    app.use('/pay', pay);
    app.post('/own', create.json(), (request, response) => void response.json(request.body));
    const server = app.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    return {
      url: urlOf(server.address()),
      close: () => Promise.all([close(server), pay.close()]),
    };
  };

const servers: Record<string, Start> = {
  express: expressServer(express, express.json(), express.urlencoded()),
  'express with a parser for its own route only': expressServer(express),
  'express 4': expressServer(express4, express4.json(), express4.urlencoded(NESTED)),
  // this parser sets `body` to an empty object although it reads no JSON
  'express 4 with a parser of forms': expressServer(express4, express4.urlencoded(NESTED)),
  fastify: async (options) => {
    const app = fastify();
    await app.register(fastifyMount, { prefix: '/pay', ...options });
    app.post('/own', async ({ body }) => body);
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    return { url, close: () => app.close() };
  },
  hono: async (options) => {
    const pay = honoMount(options);
    const app = new Hono();
    app.use(async (c, next) => {
      if (c.req.method === 'POST') await c.req.json();
      await next();
    });
    app.route('/pay', pay);
    app.post('/own', async (c) => c.json(await c.req.json()));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    return {
      url: urlOf(server.address()),
      close: () => Promise.all([close(server), pay.close()]),
    };
  },
  next: async (options) => {
    const pay = nextMount({ ...options, path: '/pay' });
    // Next.js chooses the handler by the method, sets X-Forwarded-For when no proxy has set it, and
    // sends no Content-Encoding of a handler
    const server = serve({
      fetch: async (request, { incoming }) => {
        if (request.url.endsWith('/own')) return Response.json(await request.json());
        const headers = new Headers(request.headers);
        if (!headers.has('x-forwarded-for'))
          headers.set('x-forwarded-for', incoming.socket.remoteAddress ?? '');
        const handle = pay[request.method as 'GET' | 'POST'];
        const response = await handle(new Request(request, { headers }));
        response.headers.delete('content-encoding');
        return response;
      },
      port: 0,
      hostname: '127.0.0.1',
    });
    await new Promise((resolve) => server.once('listening', resolve));
    return {
      url: urlOf(server.address()),
      close: () => Promise.all([close(server), pay.close()]),
    };
  },
};

let sandbox: Awaited<ReturnType<typeof serveSandbox>>;
let configured: ConfigFile;
before(async () => {
  sandbox = await serveSandbox({ port: 0, host: '127.0.0.1' });
  const base_url = sandbox.url.replace('localhost', '127.0.0.1');
  configured = {
    ...testConfig,
    service: { base_url },
    links: { hosts: ['127.0.0.1', 'localhost'] },
  };
});
after(() => sandbox.close());

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

type Paid = { order: { request_id: string; order_key: string; version: number } };

for (const [name, start] of Object.entries(servers))
  describe(`the relay in ${name}`, () => {
    it(`${name}: places and follows an order when the server has routes of its own`, async () => {
      const ledger = memoryLedger();
      const running = await start({ config: configured, ledger });
      const response = await post(`${running.url}/pay/v1/pay`, {
        ...openIntent,
        attempt: crypto.randomUUID(),
        option: 'qr',
      });
      assert.equal(response.status, 200);
      const { order } = (await response.json()) as { order: { request_id: string } };
      const own = await post(`${running.url}/own`, { of: 'the shop' });
      assert.deepEqual(await own.json(), { of: 'the shop' });
      const outcome = async () => (await findOrder(ledger, order.request_id))?.outcome;
      assert.equal(await outcome(), 'pending');
      const placed = sandbox.sandbox.orders.byRequest(order.request_id);
      assert.ok(placed);
      sandbox.sandbox.orders.setStatus(placed, 20);
      await until(async () => (await outcome()) === 'succeeded', 'the payment');
      await running.close();
    });

    it(`${name}: answers a page that waits when it closes, and ends its connection`, async () => {
      const kept = memoryLedger();
      let hasAsked = false;
      const find: typeof kept.find = (id) => ((hasAsked = true), kept.find(id));
      const running = await start({ config: configured, ledger: { ...kept, find } });
      const attempt = crypto.randomUUID();
      const paid = await post(`${running.url}/pay/v1/pay`, {
        ...openIntent,
        attempt,
        option: 'card',
      });
      const { request_id, order_key, version } = ((await paid.json()) as Paid).order;
      hasAsked = false;
      const waiting = post(`${running.url}/pay/v1/query`, {
        request_id,
        order_key,
        known_version: version,
        wait: 50,
      });
      await until(() => hasAsked, 'the page waits');
      let isClosed = false;
      const closing = running.close().then(() => (isClosed = true));
      const answer = await waiting;
      assert.equal(answer.status, 200);
      // Next.js gives the connection to no route
      if (name !== 'next') assert.equal(answer.headers.get('connection'), 'close');
      await until(() => isClosed, 'the server has closed', 20_000);
      await closing;
    });

    it(`${name}: answers 404 at the path of the mount itself, also with a query`, async () => {
      const running = await start({ config: configured, ledger: memoryLedger() });
      for (const path of ['/pay', '/pay?x=1', '/pay/', '/pay/?x=1'])
        assert.equal((await fetch(running.url + path)).status, 404, path);
      await running.close();
    });

    it(`${name}: serves the element’s script, and refuses requests as the relay does`, async () => {
      const running = await start({ config: configured, ledger: 'memory:' });
      const script = await fetch(`${running.url}/pay/pay-checkout.js`);
      assert.equal(script.status, 200);
      assert.match(await script.text(), /pay-checkout/);
      const long = await post(`${running.url}/pay/v1/pay`, {
        ...openIntent,
        remark: 'x'.repeat(20_000),
      });
      assert.equal(long.status, 413);
      const plain = { 'content-type': 'text/plain' };
      assert.equal((await post(`${running.url}/pay/v1/checkout`, openIntent, plain)).status, 415);
      const foreign = { origin: 'https://evil.example' };
      const refused = await post(`${running.url}/pay/v1/checkout`, openIntent, foreign);
      assert.equal(refused.status, 403);
      const preflight = await fetch(`${running.url}/pay/v1/pay`, { method: 'OPTIONS' });
      assert.equal(preflight.status, 204);
      assert.equal((await fetch(`${running.url}/pay/nothing`)).status, 404);
      await running.close();
    });

    it(`${name}: limits each customer by the address that the shop’s proxy saw`, async () => {
      const limits = { per_ip_per_minute: 2, trusted_hops: 1 };
      const running = await start({ config: { ...configured, limits }, ledger: 'memory:' });
      const ask = async (address: string): Promise<number> =>
        (await post(`${running.url}/pay/v1/checkout`, openIntent, { 'x-forwarded-for': address }))
          .status;
      const one = '192.0.2.1';
      assert.deepEqual(
        [await ask(one), await ask(`6.6.6.6, ${one}`), await ask(one)],
        [200, 200, 429],
      );
      assert.equal(await ask('192.0.2.2'), 200);
      await running.close();
    });
  });

/** The file of a descriptor; an empty text when the descriptor was closed meanwhile. */
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

describe('a mounted relay', () => {
  it('opens the ledger at the first request when a configuration file is mounted', async () => {
    const ledger = join(folder, 'first.db');
    const file = join(folder, 'relay.config.json');
    writeFileSync(file, JSON.stringify({ ...configured, ledger: `sqlite:${ledger}` }));
    const pay = nextMount({ config: file, path: '/first' });
    const ready = () => pay.GET(new Request('http://localhost/first/readyz'));
    assert.equal(existsSync(ledger), false);
    assert.equal((await ready()).status, 200);
    assert.equal(existsSync(ledger), true);
    assert.equal(nextMount({ config: file, path: '/first' }).start, pay.start, 'one relay');
    await pay.close();
  });

  it('is one relay for both spellings of a path, and another after a change', async () => {
    const ledger = memoryLedger();
    const config = { ...configured, ledger: 'memory:' };
    const first = nextMount({ config, ledger, path: '/twice' });
    assert.equal(nextMount({ config: { ...config }, ledger, path: '/twice/' }).start, first.start);
    const other = nextMount({ config, ledger: memoryLedger(), path: '/twice' });
    assert.notEqual(other.start, first.start);
    const signedBy = (sign: Sign): ConfigFile => ({
      ...config,
      service: { ...config.service, sign },
    });
    const one = nextMount({ config: signedBy(() => ({ by: 'one' })), path: '/twice' });
    const two = nextMount({ config: signedBy(() => ({ by: 'two' })), path: '/twice' });
    assert.notEqual(two.start, one.start);
    await two.close();
  });

  it('is another relay for another shop at the same path', async () => {
    const shopAt = (host: string, name: string): ReturnType<typeof nextMount> => {
      const public_url = `https://${host}/pay`;
      const shop = { ...testConfig.shop, name };
      const ledger = `sqlite:${join(folder, `${host}.db`)}`;
      const config = { ...configured, ledger, public_url, shop };
      return nextMount({ config, path: '/shops' });
    };
    const nameAt = async (pay: ReturnType<typeof nextMount>): Promise<unknown> => {
      const response = await pay.POST(postRequest('/shops/v1/checkout', openIntent));
      const { checkout } = (await response.json()) as { checkout?: { shop_name: string } };
      return checkout?.shop_name;
    };
    const first = shopAt('one.example', 'One');
    assert.equal(await nameAt(first), 'One');
    const second = shopAt('two.example', 'Two');
    assert.deepEqual([await nameAt(second), await nameAt(first)], ['Two', 'One']);
    for (const pay of [first, second]) await pay.close();
  });

  it('logs the reference of an answer that a closed relay gives', () => {
    const module = new URL('../../../../relay/adapters/next.ts', import.meta.url).href;
    const script = `
      import { payCheckout } from '${module}';
      const pay = payCheckout({ config: 'none.config.json', path: '/closed' });
      await pay.close();
      const answer = await pay.GET(new Request('http://localhost/closed/readyz'));
      console.log(answer.headers.get('x-reference'));`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const { stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.match(stdout, /^[0-9a-f]{8}$/m);
    const line = JSON.parse(stderr) as Record<string, unknown>;
    assert.deepEqual([line.reference, line.message], [stdout.trim(), 'the relay is closed']);
  });

  it('answers 500 without the cause while a mounted configuration is refused', async () => {
    const file = join(folder, 'late.config.json');
    const pay = nextMount({ config: file, path: '/late' });
    const ready = () => pay.GET(new Request('http://localhost/late/readyz'));
    const refused = await ready();
    assert.equal(refused.status, 500);
    const text = await refused.text();
    assert.doesNotMatch(text, /late\.config/);
    // without a reference the element would not take it for an answer of the relay
    const { error } = JSON.parse(text) as { error: { code: string; reference: string } };
    assert.equal(error.code, 'internal');
    assert.match(error.reference, /^[0-9a-f]{8}$/);
    assert.equal(refused.headers.get('x-reference'), error.reference);
    writeFileSync(file, JSON.stringify({ ...configured, ledger: 'memory:' }));
    await until(async () => (await ready()).status === 200, 'ready');
    await pay.close();
  });

  it('leaves the shop running when it cannot start', async () => {
    const config = join(folder, 'none.config.json');
    for (const pay of [expressMount({ config }), honoMount({ config })]) {
      await pay.start();
      await pay.close();
    }
  });

  it('says that a route of Next.js needs its path', () => {
    // @ts-expect-error: a route in JavaScript may lack it
    assert.throws(() => nextMount({ config: configured }), /path: '\/pay'/);
  });

  it('answers an operation at whose path Next.js has put a slash', async () => {
    const pay = nextMount({ config: configured, ledger: memoryLedger(), path: '/slash' });
    const request = new Request('http://localhost/slash/v1/checkout/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(openIntent),
    });
    assert.equal((await pay.POST(request)).status, 200);
    await pay.close();
  });

  it('leaves no more files open after ten requests than after one when it is refused', async () => {
    const ledger = `sqlite:${join(folder, 'another-shop.db')}`;
    const first = nextMount({ config: { ...configured, ledger }, path: '/one' });
    assert.equal((await first.GET(new Request('http://localhost/one/readyz'))).status, 200);
    await first.close();
    const public_url = 'https://another.example/pay';
    const pay = nextMount({ config: { ...configured, public_url, ledger }, path: '/another' });
    const openFiles = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(fd).includes('another-shop.db')).length;
    const request = () => pay.GET(new Request('http://localhost/another/readyz'));
    assert.equal((await request()).status, 500);
    const afterOne = openFiles();
    for (let requests = 1; requests < 10; requests++) assert.equal((await request()).status, 500);
    assert.ok(openFiles() <= afterOne, `${openFiles()} open files, ${afterOne} after one request`);
    await pay.close();
  });
});
