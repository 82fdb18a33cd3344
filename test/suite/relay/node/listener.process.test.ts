/** The two listeners over real sockets: slow clients, draining, the operator's metrics. */
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, Server } from 'node:http';
import {
  connect,
  createServer as createSocketServer,
  type AddressInfo,
  type Socket,
} from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sandboxListener } from '../../../../relay/sandbox/serve.js';
import { createSandbox } from '../../../../relay/sandbox/sandbox.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { listenOn } from '../../../../relay/node/listener.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { listen, nodeRelay } from '../../../../relay/server.js';
import { openIntent, SECRETS, testConfig, until } from '../../support/world.js';

/** MAX_REQUEST_MS of node/listener.ts, plus the time until its next check. */
const CLOSED_WITHIN_MS = 15_000;
/** Below DRAIN_WITHIN_MS (node/listener.ts), and far below the wait of the long poll. */
const STOPPED_WITHIN_MS = 3000;

const folder = mkdtempSync(join(tmpdir(), 'listener-'));
const sandbox = createSandbox({ publicUrl: 'http://localhost' });
const service = createServer(sandboxListener(sandbox)).listen(0);
after(() => {
  service.close();
  service.closeAllConnections();
  rmSync(folder, { recursive: true });
});

async function start(change: Partial<ConfigFile> = {}): Promise<{
  url: string;
  operator: string;
  close: () => Promise<void>;
  log: Record<string, unknown>[];
}> {
  const base_url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const file = {
    ...testConfig,
    service: { base_url },
    ledger: `sqlite:${join(folder, `${Math.random()}.db`)}`,
    links: { hosts: ['localhost'] },
    ...change,
  };
  const config = parseConfig(file, (reference) =>
    'env' in reference ? SECRETS[reference.env] : undefined,
  );
  const log: Record<string, unknown>[] = [];
  const relay = await nodeRelay(config, {
    script: new URL('file:///none'),
    log: (level, event, fields) => log.push({ level, event, ...fields }),
  });
  const listening = await listen(relay, 0, config.operator?.port);
  return {
    url: `http://127.0.0.1:${listening.port}`,
    operator: `http://127.0.0.1:${listening.operatorPort}`,
    close: listening.close,
    log,
  };
}
const post = (url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the listener', () => {
  it('closes a connection when its client sends slowly or sends nothing', async () => {
    const relay = await start();
    const { port } = new URL(relay.url);
    const closed = (head: string): Promise<number> =>
      new Promise((resolve) => {
        const began = Date.now();
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(head));
        const drip = setInterval(() => socket.write(head === '' ? '' : 'x'), 500);
        socket.on('error', () => {});
        socket.on('data', () => {});
        socket.on('close', () => {
          clearInterval(drip);
          resolve(Date.now() - began);
        });
      });
    const times = await Promise.all([
      closed(''),
      closed('POST /v1/checkout HTTP/1.1\r\nhost: x\r\nx-slow: '),
      closed(
        'POST /v1/checkout HTTP/1.1\r\nhost: x\r\n' +
          'content-type: application/json\r\ncontent-length: 9000\r\n\r\n{',
      ),
    ]);
    for (const time of times) assert.ok(time < CLOSED_WITHIN_MS, `${time} ms`);
    await relay.close();
  });

  it('answers /readyz to a balancer that names no host', async () => {
    const relay = await start();
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
    socket.write('GET /readyz HTTP/1.0\r\n\r\n');
    await once(socket, 'close');
    assert.match(received, /^HTTP\/1\.[01] 200 /);
    await relay.close();
  });

  it('closes a connection when its client sends many requests and reads no answer', async () => {
    let served = 0;
    const { port, close } = await listenOn(
      () => {
        served += 1;
        return new Promise(() => {});
      },
      { port: 0 },
    );
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const closed = once(socket, 'close');
    socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1000));
    await closed;
    assert.equal(served, 16);
    await close();
  });

  it('closes a connection whose answer, which it no longer waits for, has failed', async () => {
    const { port, close } = await listenOn(
      (_request, { letGo }) => letGo(Promise.reject(new Error('not a JSON value'))),
      { port: 0 },
    );
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`), /fetch failed/);
    await close();
  });

  it('answers each request when a client sends sixteen at once, again and again', async () => {
    const { port, close } = await listenOn(() => new Response('answer'), { port: 0 });
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
    const answers = (): number => received.split('answer').length - 1;
    for (const count of [16, 32, 48]) {
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(16));
      await until(() => answers() === count, `${count} requests are answered`);
    }
    socket.destroy();
    await close();
  });

  it('lets the connection of a proxy rest for longer than the proxy does', async () => {
    // behind a proxy nothing limits the connections of one address
    for (const [maxPerAddress, seconds] of [
      [undefined, 125],
      [3, 5],
    ] as const) {
      const { close, port } = await listenOn(() => new Response(), { port: 0, maxPerAddress });
      const { headers } = await fetch(`http://127.0.0.1:${port}/`);
      assert.equal(headers.get('keep-alive'), `timeout=${seconds}`);
      await close();
    }
  });

  it('answers open long polls and accepts no connection when it stops', async () => {
    const relay = await start();
    const attempt = crypto.randomUUID();
    const paid = await post(`${relay.url}/v1/pay`, { ...openIntent, attempt, option: 'card' });
    const { order } = (await paid.json()) as { order: { request_id: string; order_key: string } };
    const waiting = post(`${relay.url}/v1/query`, {
      request_id: order.request_id,
      order_key: order.order_key,
      known_status: 11,
      wait: 25,
    });
    // time for the long poll to reach the relay
    await new Promise((resolve) => setTimeout(resolve, 200));
    const began = Date.now();
    await relay.close();
    assert.ok(Date.now() - began < STOPPED_WITHIN_MS);
    assert.equal((await waiting).status, 200);
    await assert.rejects(fetch(`${relay.url}/healthz`));
  });

  it('looks for idle connections a few times when hundreds of requests end at once', async (t) => {
    const closeIdle = t.mock.method(Server.prototype, 'closeIdleConnections');
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const waiting = { count: 0 };
    const serve = async (): Promise<Response> => {
      waiting.count++;
      await released;
      return new Response('answer');
    };
    const { close, port } = await listenOn(serve, { port: 0 }, release);
    const open = Array.from({ length: 300 }, () => fetch(`http://127.0.0.1:${port}/`));
    await until(() => waiting.count === open.length, 'all requests wait');
    const before = closeIdle.mock.callCount();
    await close();
    for (const answer of open) assert.equal((await answer).status, 200);
    assert.ok(closeIdle.mock.callCount() - before < 30, String(closeIdle.mock.callCount()));
  });

  it('answers /readyz on an open connection with 503 and "stopping" while it stops', async () => {
    const relay = await start();
    const callsBefore = sandbox.calls.length;
    sandbox.faults.add({ operation: 'pay', fault: 'slow', delay_ms: 1000 });
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
    const ended = once(socket, 'close');
    const body = JSON.stringify({ ...openIntent, attempt: crypto.randomUUID(), option: 'card' });
    const head = ['POST /v1/pay HTTP/1.1', 'host: x', 'content-type: application/json'];
    socket.write(`${[...head, `content-length: ${body.length}`].join('\r\n')}\r\n\r\n${body}`);
    // the pay under way keeps the connection open
    await until(() => sandbox.calls.length > callsBefore, 'the pay is under way');
    const closing = relay.close();
    socket.write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
    await Promise.all([closing, ended]);
    assert.match(received, /^HTTP\/1\.1 200 /);
    assert.match(received, /HTTP\/1\.1 503 [\s\S]*"status":"stopping","ledger":"ok"/);
  });

  it('logs a body that was cut short as a bad request, not as an error', async () => {
    const relay = await start();
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1');
    const head = ['POST /v1/pay HTTP/1.1', 'host: x', 'content-type: application/json'];
    socket.write(`${[...head, 'content-length: 500'].join('\r\n')}\r\n\r\n{"a":`);
    socket.end();
    const requests = (): Record<string, unknown>[] =>
      relay.log.filter(({ event }) => event === 'request');
    await until(() => requests().length > 0, 'the request is logged');
    assert.deepEqual(
      requests().map(({ code, level }) => [level, code]),
      [['info', 'invalid_request']],
    );
    await relay.close();
  });

  it('stops only when the ledger has the answer to a pay whose customer has left', async () => {
    const ledger = `sqlite:${join(folder, 'left.db')}`;
    const relay = await start({ ledger });
    sandbox.faults.add({ operation: 'pay', fault: 'slow', delay_ms: 1500 });
    const customer = new AbortController();
    const callsBefore = sandbox.calls.length;
    const pay = fetch(`${relay.url}/v1/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...openIntent, attempt: crypto.randomUUID(), option: 'card' }),
      signal: customer.signal,
    });
    await until(() => sandbox.calls.length > callsBefore, 'the pay is under way');
    customer.abort();
    await assert.rejects(pay);
    await relay.close();
    const { request_id } = sandbox.calls.at(-1)?.body as { request_id: string };
    const order = sandbox.orders.byRequest(request_id);
    const kept = await openLedger(ledger);
    assert.ok(order?.order_no);
    assert.equal((await kept.find(request_id))?.order.order_no, order.order_no);
    await kept.close();
  });

  it('ends a long poll when its customer has left', async () => {
    const relay = await start({ operator: { port: 0, key: { env: 'SECRET' } } });
    const attempt = crypto.randomUUID();
    const paid = await post(`${relay.url}/v1/pay`, { ...openIntent, attempt, option: 'card' });
    const { order } = (await paid.json()) as { order: Record<'order_key' | 'request_id', string> };
    const { order_key, request_id } = order;
    const waiting = async (): Promise<string | undefined> => {
      const headers = { authorization: `Bearer ${SECRETS.SECRET}` };
      const page = await (await fetch(`${relay.operator}/metrics`, { headers })).text();
      return /^pay_checkout_waiting_checkouts (\d+)$/m.exec(page)?.[1];
    };
    const customer = new AbortController();
    const poll = fetch(`${relay.url}/v1/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ request_id, order_key, known_status: 11, wait: 25 }),
      signal: customer.signal,
    });
    await until(async () => (await waiting()) === '1', 'the customer waits');
    customer.abort();
    await assert.rejects(poll);
    await until(async () => (await waiting()) === '0', 'the long poll has ended');
    await relay.close();
  });

  it('answers with security headers, and with a reference that is in the log', async () => {
    const relay = await start();
    const response = await post(`${relay.url}/v1/pay`, {
      ...openIntent,
      attempt: crypto.randomUUID(),
      option: 'nope',
    });
    const { error } = (await response.json()) as { error: { reference: string } };
    assert.equal(response.headers.get('x-reference'), error.reference);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    const line = relay.log.find(({ reference }) => reference === error.reference);
    assert.deepEqual(
      [line?.event, line?.path, line?.status, line?.code],
      ['request', '/v1/pay', 404, 'option_unknown'],
    );
    await relay.close();
  });
});

describe('the ledger of a relay', () => {
  it('creates files that only their owner can read when the umask allows everybody', async () => {
    const umask = process.umask(0o000);
    const file = join(folder, 'private.db');
    const relay = await start({ ledger: `sqlite:${file}` });
    await post(`${relay.url}/v1/pay`, {
      ...openIntent,
      attempt: crypto.randomUUID(),
      option: 'card',
    });
    process.umask(umask);
    for (const suffix of ['', '-wal', '-shm'])
      assert.equal((statSync(file + suffix).mode & 0o777).toString(8), '600', `${file}${suffix}`);
    await relay.close();
  });

  it('removes the access rights of others from a ledger file that others can read', async () => {
    const file = join(folder, 'readable.db');
    await (await start({ ledger: `sqlite:${file}` })).close();
    chmodSync(file, 0o644);
    const relay = await start({ ledger: `sqlite:${file}` });
    assert.equal((statSync(file).mode & 0o777).toString(8), '600');
    await relay.close();
  });
});

describe('the operator’s listener', () => {
  it('counts the connections that the service ends while they rest', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
    const ending = createSocketServer((socket) =>
      socket.on('error', () => {}).on('data', () => socket.write(answer, () => socket.end())),
    ).listen(0, '127.0.0.1');
    await once(ending, 'listening');
    const relay = await start({
      service: { base_url: `http://127.0.0.1:${(ending.address() as AddressInfo).port}` },
      operator: { port: 0, key: { env: 'SECRET' } },
    });
    const counted = async (request: 'lost' | 'none'): Promise<string | undefined> => {
      const headers = { authorization: `Bearer ${SECRETS.SECRET}` };
      const page = await (await fetch(`${relay.operator}/metrics`, { headers })).text();
      const line = `^pay_checkout_service_early_ends_total\\{request="${request}"\\} (\\d+)$`;
      return new RegExp(line, 'm').exec(page)?.[1];
    };
    assert.equal(await counted('none'), '0');
    await post(`${relay.url}/v1/deposit-address`, { currency: 'BTC', customer_ref_id: 'c-1' });
    await until(async () => (await counted('none')) === '1', 'the end is counted');
    assert.equal(await counted('lost'), '0');
    await relay.close();
    ending.close();
  });

  it('answers metrics only with the operator’s key, and never on the shop’s port', async () => {
    const relay = await start({ operator: { port: 0, key: { env: 'SECRET' } } });
    await post(`${relay.url}/v1/pay`, {
      ...openIntent,
      attempt: crypto.randomUUID(),
      option: 'card',
    });
    assert.equal((await fetch(`${relay.operator}/metrics`)).status, 401);
    assert.equal(
      (await fetch(`${relay.operator}/metrics`, { headers: { authorization: 'Bearer no' } }))
        .status,
      401,
    );
    assert.equal((await fetch(`${relay.url}/metrics`)).status, 404);
    const headers = { authorization: `Bearer ${SECRETS.SECRET}` };
    const text = await (await fetch(`${relay.operator}/metrics`, { headers })).text();
    for (const line of [
      /^pay_checkout_requests_total\{path="\/v1\/pay",status="200"\} 1$/m,
      /^pay_checkout_upstream_seconds_count\{operation="pay",result="ok"\} 1$/m,
      /^pay_checkout_waiting_checkouts 0$/m,
      /^pay_checkout_queries_per_second 20$/m,
      /^pay_checkout_outbox_lag_seconds 0$/m,
      /^pay_checkout_orders_open\{outcome="pending"\} 1$/m,
      /^pay_checkout_orders_open\{outcome="review"\} 0$/m,
      /^pay_checkout_orders_oldest_seconds\{outcome="pending"\} \d/m,
      /^pay_checkout_lists_held_back_seconds 0$/m,
      /^pay_checkout_nodejs_eventloop_lag_seconds /m,
    ])
      assert.match(text, line);
    await relay.close();
  });

  it('counts the refusals of the service by their HTTP status', async () => {
    sandbox.faults.add({ operation: 'pay', fault: 'refusal' });
    const relay = await start({ operator: { port: 0, key: { env: 'SECRET' } } });
    const pay = { ...openIntent, attempt: crypto.randomUUID(), option: 'card' };
    await post(`${relay.url}/v1/pay`, pay);
    const headers = { authorization: `Bearer ${SECRETS.SECRET}` };
    const text = await (await fetch(`${relay.operator}/metrics`, { headers })).text();
    assert.match(text, /^pay_checkout_service_refusals_total\{status="200"\} [1-9]/m);
    await relay.close();
  });

  it('answers 404 to another path on the operator’s port', async () => {
    const relay = await start({ operator: { port: 0, key: { env: 'SECRET' } } });
    const headers = { authorization: `Bearer ${SECRETS.SECRET}` };
    for (const path of ['/', '/v1/orders', '/consoles'])
      assert.equal((await fetch(`${relay.operator}${path}`, { headers })).status, 404, path);
    const page = await fetch(`${relay.operator}/console`);
    assert.match(await page.text(), /<pay-console>/);
    assert.equal((await fetch(`${relay.url}/console`)).status, 404);
    await relay.close();
  });
});

describe('the address of the listener', () => {
  const other = Object.values(networkInterfaces())
    .flat()
    .find((found) => found?.family === 'IPv4' && !found.internal)?.address;
  const reached = (at: string): Promise<boolean> =>
    fetch(`${at}/healthz`, { signal: AbortSignal.timeout(2000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const answer = (): Response => new Response('ok');
  const options = { skip: other === undefined };

  it('listens on loopback only when no host is given', options, async () => {
    const own = await listenOn(answer, { port: 0 });
    assert.equal(await reached(`http://127.0.0.1:${own.port}`), true);
    assert.equal(await reached(`http://${other}:${own.port}`), false);
    await own.close();
    const all = await listenOn(answer, { port: 0, host: '0.0.0.0' });
    assert.equal(await reached(`http://${other}:${all.port}`), true);
    await all.close();
  });

  it(
    'closes a connection of an address that has too many, and none of others',
    options,
    async () => {
      const { port, close } = await listenOn(answer, {
        port: 0,
        host: '0.0.0.0',
        maxPerAddress: 3,
      });
      const open = (host: string | undefined): Socket => connect(port, host).on('error', () => {});
      const sockets = [1, 2, 3].map(() => open(other));
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      await once(open(other), 'close');
      const local = [1, 2, 3, 4].map(() => open('127.0.0.1'));
      await Promise.all(local.map((socket) => once(socket, 'connect')));
      assert.equal(await reached(`http://127.0.0.1:${port}`), true);
      sockets[0]?.destroy();
      await until(() => reached(`http://${other}:${port}`), 'a place is free again');
      for (const socket of [...sockets, ...local]) socket.destroy();
      await close();
    },
  );
});
