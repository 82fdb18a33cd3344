/**
 * The baselines: what a shop could write instead of the relay. They forward a pay to the order
 * service and keep nothing. `/v1/checkout` and `/v1/query` answer with a fixed JSON text. The
 * baselines whose names end in "-hold" hold each request for the seconds that its `wait` says.
 * Those whose names end in "-events" keep its connection open, as server-sent events do.
 *
 * `baselines.ts NAME SERVICE_URL` prints the address that it listens on.
 */
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import { Pool } from 'undici';

const [, , name = '', service = ''] = process.argv;
const FIXED = { contract: 1, checkout: { amount: '12.50', currency: 'USD', options: [] } };
/** A page that asks again does so at once, but the machine that runs the bench may be late. */
const KEEP_ALIVE_MS = 60_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const announce = (port: number): void => console.log(`baseline on http://127.0.0.1:${port}`);

const bodyOf = (message: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => resolve(Buffer.concat(chunks)));
    message.on('error', reject);
  });

const heldMs = (body: string): number => 1000 * (JSON.parse(body) as { wait: number }).wait;

function rawHttpHold(): void {
  const text = JSON.stringify(FIXED);
  const server = createServer((request, response) => {
    const answer = (): void => void response.writeHead(200, JSON_TYPE).end(text);
    void bodyOf(request).then((body) => setTimeout(answer, heldMs(body.toString())));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}

function honoHold(): void {
  const app = new Hono().post('*', async (c) => {
    await sleep(heldMs(await c.req.text()));
    return c.json(FIXED);
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
    announce(port),
  );
  (server as Server).keepAliveTimeout = KEEP_ALIVE_MS;
}

/** Writes a comment as often as a page would ask again, so that no proxy ends the connection. */
function rawHttpEvents(): void {
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const ms = heldMs(body.toString());
      if (ms === 0) return void response.writeHead(200, JSON_TYPE).end(JSON.stringify(FIXED));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(FIXED)}\n\n`);
      const timer = setInterval(() => response.write(':\n\n'), ms);
      response.on('close', () => clearInterval(timer));
    });
  });
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}

/** The same with Hono's helper. */
function honoEvents(): void {
  const app = new Hono().post('*', async (c) => {
    const ms = heldMs(await c.req.text());
    if (ms === 0) return c.json(FIXED);
    return streamSSE(c, async (stream) => {
      await stream.writeSSE({ data: JSON.stringify(FIXED) });
      while (!stream.aborted) {
        await stream.sleep(ms);
        await stream.write(':\n\n');
      }
    });
  });
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port));
}

function rawHttp(): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const forward = (body: Buffer): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const headers = { ...JSON_TYPE, 'content-length': body.length };
      const call = httpRequest(`${service}/pay`, { method: 'POST', agent, headers }, (answer) => {
        bodyOf(answer).then(resolve, reject);
      });
      call.on('error', reject);
      call.end(body);
    });
  const server = createServer((request, response) => {
    const answered = bodyOf(request).then((body) =>
      request.url === '/v1/pay' ? forward(body) : Buffer.from(JSON.stringify(FIXED)),
    );
    answered.then(
      (body) => response.writeHead(200, { ...JSON_TYPE, 'content-length': body.length }).end(body),
      () => response.writeHead(502).end(),
    );
  });
  server.listen(0, '127.0.0.1', () => announce((server.address() as AddressInfo).port));
}

function hono(forward: (body: string) => Promise<object>): void {
  const app = new Hono()
    .post('/v1/pay', async (c) => c.json(await forward(await c.req.text())))
    .post('*', async (c) => {
      await c.req.text();
      return c.json(FIXED);
    });
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port));
}

switch (name) {
  case 'raw-http':
    rawHttp();
    break;
  case 'raw-http-hold':
    rawHttpHold();
    break;
  case 'hono-hold':
    honoHold();
    break;
  case 'raw-http-events':
    rawHttpEvents();
    break;
  case 'hono-events':
    honoEvents();
    break;
  case 'hono-undici': {
    const pool = new Pool(service, { connections: 64 });
    hono(async (body) => {
      const answer = await pool.request({
        path: '/pay',
        method: 'POST',
        headers: JSON_TYPE,
        body,
      });
      return (await answer.body.json()) as object;
    });
    break;
  }
  case 'hono-fetch':
    hono(async (body) => {
      const init = { method: 'POST', headers: JSON_TYPE, body };
      return (await (await fetch(`${service}/pay`, init)).json()) as object;
    });
    break;
  default:
    throw new Error(`no baseline ${name}`);
}
