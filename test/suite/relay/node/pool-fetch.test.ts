/** The HTTP client that sends events to the shop on Node.js. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { poolFetch } from '../../../../relay/node/http-clients.js';

type ReceivedRequest = {
  method: string | undefined;
  url: string | undefined;
  type: unknown;
  body: string;
};
const stops: (() => unknown)[] = [];
after(() => stops.forEach((stop) => stop()));

async function receiver(answer: (response: ServerResponse) => void): Promise<{
  url: string;
  received: ReceivedRequest[];
  connections: () => number;
}> {
  const received: ReceivedRequest[] = [];
  let connections = 0;
  const receive = async (request: IncomingMessage): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { headers, method, url } = request;
    received.push({ method, url, type: headers['content-type'], body });
  };
  const server = createServer((request, response) => {
    void receive(request).then(() => answer(response));
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received, connections: () => connections };
}

const message = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"café":1}',
};
const pool = poolFetch();
stops.push(() => pool.close());

describe('poolFetch', () => {
  it('sends method, headers and body to the path, and reuses its sockets', async () => {
    const shop = await receiver((response) => response.writeHead(200).end('thanks'));
    for (let sent = 0; sent < 20; sent++)
      assert.equal((await pool.fetch(`${shop.url}/hooks?a=1`, message)).status, 200);
    const expected = {
      method: 'POST',
      url: '/hooks?a=1',
      type: 'application/json',
      body: message.body,
    };
    assert.deepEqual(shop.received, Array(20).fill(expected));
    assert.ok(shop.connections() < 10, `${shop.connections()} connections`);
  });

  it('follows no redirect, and returns the status of a refusal', async () => {
    const moved = await receiver((response) =>
      response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    );
    assert.equal((await pool.fetch(moved.url, message)).status, 307);
    const broken = await receiver((response) => response.writeHead(500).end());
    assert.equal((await pool.fetch(broken.url, message)).ok, false);
  });

  it('resolves when the answer has begun, although its body never ends', async () => {
    const endless = await receiver((response) => void response.writeHead(200).write('more'));
    assert.equal((await pool.fetch(endless.url, message)).ok, true);
  });

  it('rejects with the reason of its signal when no answer comes', async () => {
    const silent = await receiver(() => {});
    const signal = AbortSignal.timeout(50);
    const isTimeout = { name: 'TimeoutError' };
    await assert.rejects(pool.fetch(silent.url, { ...message, signal }), isTimeout);
  });
});
