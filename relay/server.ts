/** The relay on Node: listener, pool, ledger and the clock that ticks it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { serve, type HttpBindings } from '@hono/node-server';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { bindLedger, createRelay, type Relay } from './app.js';
import type { Config } from './config/schema.js';
import { clientAddress } from './gates/client-address.js';
import type { Limiter } from './gates/rate.js';
import { openLedger } from './open-ledger.js';
import { poolSend } from './order-service/send/pool-send.js';
import type { Log } from './orders/context.js';
import type { Asset, Assets } from './routes/assets.js';

const TICK_MS = 1000;

/** One JSON line per event, warnings and errors on stderr. */
export const jsonLog: Log = (level, event, fields = {}) => {
  const line = `${JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })}\n`;
  (level === 'info' ? process.stdout : process.stderr).write(line);
};

/** The built element under its plain and its immutable name; empty, with a warning, when it was not built. */
export async function loadAssets(script: URL, log: Log): Promise<Assets> {
  const source = await readFile(script).catch(() => null);
  if (!source) {
    log('warn', 'assets', { message: 'dist/pay-checkout.js is missing: run npm run build' });
    return new Map();
  }
  const body = new Uint8Array(source);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const asset: Asset = {
    type: 'text/javascript; charset=utf-8',
    body,
    br: new Uint8Array(brotliCompressSync(body)),
    gzip: new Uint8Array(gzipSync(body)),
    immutable: false,
    etag: `"${hash}"`,
  };
  return new Map([
    ['pay-checkout.js', asset],
    [`pay-checkout.${hash}.js`, { ...asset, immutable: true }],
  ]);
}

export type NodeRelay = Relay & {
  /** As fetch, for a listener of Node: finds the customer's address. */
  serve(request: Request, bindings: HttpBindings): Promise<Response>;
};

/** In this process's memory: instances count each for themselves. */
function memoryLimiter(perMinute: number): Limiter {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 });
  return (key) =>
    limiter.consume(key).then(
      () => true,
      () => false,
    );
}

/** A proxy on this machine that `trusted_hops` does not count hides its customers: all of them would share one limit. */
function addressOf(config: Config, request: Request, { incoming }: HttpBindings): { address?: string } {
  const address = clientAddress(incoming.socket.remoteAddress ?? '', request.headers.get('x-forwarded-for'), config.limits.trusted_hops);
  return config.limits.trusted_hops === 0 && (address.startsWith('127.') || address === '0:0:0:0::/64') ? {} : { address };
}

/** A relay with everything that Node gives it, ticking; not yet listening. */
export async function nodeRelay(config: Config, { log = jsonLog, script }: { log?: Log; script: URL }): Promise<NodeRelay> {
  const { base_url, connections, headers } = config.service;
  const revealed = Object.fromEntries(Object.entries(headers).map(([name, secret]) => [name, secret.reveal()]));
  const pool = poolSend({ baseUrl: base_url, headers: revealed, connections });
  const ledger = await openLedger(config.ledger);
  await bindLedger(config, ledger);
  if (!config.links.hosts) log('warn', 'config', { message: 'links.hosts is absent: links to any https host are shown' });
  const relay = createRelay({
    config,
    ledger,
    log,
    send: pool.send,
    assets: await loadAssets(script, log),
    limiter: memoryLimiter(config.limits.per_ip_per_minute),
  });
  const timer = setInterval(() => void relay.tick(), TICK_MS);
  return {
    ...relay,
    serve: (request, bindings) => relay.fetch(request, addressOf(config, request, bindings)),
    close: async () => {
      clearInterval(timer);
      await relay.close();
      await pool.close();
      await ledger.close();
    },
  };
}

/** Listens; port 0 takes a free one. */
export function listen(relay: NodeRelay, port: number): Promise<{ port: number; close(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = serve(
      { fetch: (request, bindings) => relay.serve(request, bindings as HttpBindings), port, overrideGlobalObjects: false },
      (info: AddressInfo) =>
        resolve({
          port: info.port,
          close: () =>
            new Promise((closed) => {
              server.close(() => void relay.close().then(closed));
              if ('closeIdleConnections' in server) server.closeIdleConnections();
            }),
        }),
    );
    server.once('error', reject);
  });
}
