/** The warnings at the start of a relay name missing and wrong settings, but no secret. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { whyUnreachable } from '../../../../relay/node/try-service.js';
import { listen, nodeRelay } from '../../../../relay/server.js';
import { freePort } from '../../support/free-port.js';
import { sleep } from '../../support/wait.js';
import { readSecret, SECRETS, testConfig, until } from '../../support/world.js';
import { selfSigned } from '../order-service/self-signed.js';

const stops: (() => unknown)[] = [];
after(() => stops.forEach((stop) => stop()));

async function portOf<T extends Server>(server: T): Promise<number> {
  server.on('connection', (socket) => stops.push(() => socket.destroy()));
  server.listen(0, '127.0.0.1');
  stops.push(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

type Line = Record<string, unknown> & { message?: string };

async function start(change: Partial<ConfigFile>): Promise<{
  /** The warnings about the configuration. */
  warned: () => string[];
  url: string;
  close: () => Promise<void>;
}> {
  const lines: Line[] = [];
  const relay = await nodeRelay(parseConfig({ ...testConfig, ...change }, readSecret), {
    script: new URL('file:///none'),
    log: (level, event, fields) => lines.push({ level, event, ...fields }),
  });
  const { close, port } = await listen(relay, 0);
  let closed: Promise<void> | undefined;
  const closeOnce = (): Promise<void> => (closed ??= close());
  stops.push(closeOnce);
  return {
    warned: () =>
      lines
        .filter(({ event, level }) => event === 'config' && level === 'warn')
        .map(({ message = '' }) => message),
    url: `http://127.0.0.1:${port}`,
    close: closeOnce,
  };
}

describe('a service that cannot be reached', () => {
  it('names an unreachable service in one line, and answers requests', async () => {
    const base_url = `http://127.0.0.1:${await freePort()}/secret-path`;
    const relay = await start({ service: { base_url } });
    assert.equal((await fetch(`${relay.url}/healthz`)).status, 200);
    await until(() => relay.warned().length > 0, 'the relay warns');
    assert.deepEqual(relay.warned(), [
      `service.base_url: ${new URL(base_url).origin} cannot be reached: ` +
        'the connection is refused (ECONNREFUSED)',
    ]);
    await relay.close();
  });

  it('delays neither the start nor the stop when the service is silent', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
    const base_url = `https://127.0.0.1:${await portOf(silent)}`;
    const began = performance.now();
    const relay = await start({ service: { base_url } });
    await until(() => sockets.length > 0, 'the relay connects');
    await relay.close();
    assert.ok(performance.now() - began < 4000);
    // a connection that fails after the stop is not reported
    for (const socket of sockets) socket.destroy();
    await sleep(200);
    assert.deepEqual(relay.warned(), []);
  });

  it('logs no warning about a service that can be reached', async () => {
    let connections = 0;
    const service = createServer(() => connections++);
    const relay = await start({
      service: { base_url: `http://127.0.0.1:${await portOf(service)}` },
    });
    await until(() => connections > 0, 'the relay connects');
    await relay.close();
    assert.deepEqual(relay.warned(), []);
  });
});

describe('a service.timeout_ms', () => {
  it('is warned of at start when it is longer than a page waits', async () => {
    const base_url = `http://127.0.0.1:${await freePort()}`;
    const relay = await start({ service: { base_url, timeout_ms: 15_001 } });
    const expected = 'service.timeout_ms: a page waits for 15000 ms only; write 15000 or less';
    assert.equal(relay.warned()[0], expected);
    await relay.close();
  });
});

describe('the secret of shop events', () => {
  it('warns at start when the secret is a plain text', async () => {
    const service = { base_url: `http://127.0.0.1:${await portOf(createServer())}` };
    const shop_events = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
    const relay = await start({ service, shop_events });
    await relay.close();
    assert.deepEqual(relay.warned(), [
      'shop_events.secret: official libraries need whsec_ followed by base64',
    ]);
  });
});

describe('the key of request_ids', () => {
  const warning = /^request_id_key is absent: the key is kept in the ledger, and is lost with it; /;
  for (const [what, change, expected] of [
    ['warns in live mode without request_id_key', { mode: 'live' }, 1],
    ['is silent in test mode without request_id_key', {}, 0],
    [
      'is silent in live mode with request_id_key',
      { mode: 'live', request_id_key: { env: 'OWN' } },
      0,
    ],
  ] as const)
    it(`${what} when the relay starts`, async () => {
      SECRETS.OWN = 'request-id-key-of-the-tests-of-32-bytes';
      const service = { base_url: `https://127.0.0.1:${await portOf(createServer())}` };
      const relay = await start({ ...change, service });
      await relay.close();
      assert.equal(relay.warned().filter((line) => warning.test(line)).length, expected);
    });
});

describe('whyUnreachable', () => {
  it('names an unknown host', async () => {
    assert.match(
      (await whyUnreachable('https://service.invalid')) ?? '',
      /^its host name .*\((ENOTFOUND|EAI_AGAIN)\)$/,
    );
  });

  it('names a certificate that is refused', async () => {
    const port = await portOf(createTlsServer(selfSigned('localhost')));
    assert.match(
      (await whyUnreachable(`https://localhost:${port}`)) ?? '',
      /^its certificate is refused \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/,
    );
  });

  it('names a service that does not use TLS', async () => {
    const port = await portOf(createServer((socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n')));
    assert.match(
      (await whyUnreachable(`https://127.0.0.1:${port}`)) ?? '',
      /^the TLS handshake fails \(/,
    );
  });

  it('names a service that does not answer in time', async () => {
    const port = await portOf(
      createServer((socket) => {
        socket.on('error', () => {});
      }),
    );
    assert.match(
      (await whyUnreachable(`https://127.0.0.1:${port}`, 100)) ?? '',
      /^it does not answer \(UND_ERR_CONNECT_TIMEOUT\)$/,
    );
  });

  it('sends nothing to the service when it tries a connection', async () => {
    let received = '';
    const service = createServer((socket) =>
      socket.on('data', (bytes) => (received += bytes.toString())),
    );
    const port = await portOf(service);
    assert.equal(await whyUnreachable(`http://127.0.0.1:${port}`), null);
    // a later connection is served after the first one has ended
    await once(connect(port, '127.0.0.1'), 'connect');
    assert.equal(received, '');
  });
});

describe('a configuration in test mode with which nothing can be sold', () => {
  const cases: [string, Partial<ConfigFile>, RegExp][] = [
    ['options', { options: [], deposits: [] }, /^options: .*; write an enabled option or an asset/],
    ['statuses', { statuses: {} }, /^statuses: .*; write "statuses": \{"STATUS": "succeeded"\}/],
  ];
  for (const [what, change, expected] of cases)
    it(`names the configuration in one line when ${what} are missing`, async () => {
      const service = createServer();
      const base_url = `http://127.0.0.1:${await portOf(service)}`;
      const relay = await start({ ...change, service: { base_url } });
      assert.equal(relay.warned().length, 1);
      assert.match(relay.warned()[0] ?? '', expected);
      await relay.close();
    });
});

describe('a picture on a host that is not configured', () => {
  it('names the field to write when a picture is on a host that is not configured', async () => {
    const service = createServer();
    const base_url = `http://127.0.0.1:${await portOf(service)}`;
    const shop = { ...testConfig.shop, logo_url: 'https://cdn.example/logo.svg' };
    const relay = await start({ shop, service: { base_url } });
    assert.deepEqual(relay.warned(), [
      'shop.logo_url: not shown; write its host into shop.image_hosts',
    ]);
    await relay.close();
  });
});
