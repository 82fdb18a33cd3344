/** The relay: a fetch handler and a tick, for any runtime that has fetch and WebCrypto. */
import { Hono } from 'hono';
import type { Config } from './config/schema.js';
import { Failure } from './contract/failure.js';
import { paths } from './contract/paths.js';
import { corsHeaders, preflightHeaders } from './gates/origin.js';
import type { Limiter } from './gates/rate.js';
import type { Ledger } from './ledger/ledger.js';
import { createDepositAddress } from './deposits/deposit-address.js';
import { createOrderService, type Send } from './order-service/client.js';
import { createChanges } from './orders/apply.js';
import { createBreaker } from './orders/breaker.js';
import { createCapabilities } from './orders/capabilities.js';
import type { Clock, Context, Log } from './orders/context.js';
import { createFollow } from './orders/follow.js';
import { createPlace } from './orders/place.js';
import { deliverEvents } from './shop-events/deliver.js';
import { serveAsset, type Assets } from './routes/assets.js';
import { checkout } from './routes/checkout.js';
import { depositAddress } from './routes/deposit-address.js';
import { failureBody, mountForBackend, mountForPage, type Bindings, type Given } from './routes/mount.js';
import { notify } from './routes/notify.js';
import { orderTokens } from './routes/order-tokens.js';
import { pay } from './routes/pay.js';
import { query } from './routes/query.js';
import { readyz } from './routes/readyz.js';

export type Relay = {
  fetch(request: Request, bindings?: Bindings): Promise<Response>;
  /** Background work: call it about once a second, whether or not the last call has ended. */
  tick(): Promise<void>;
  /** Waits for the work under way; the ledger is the caller's to close. */
  close(): Promise<void>;
};

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** `fetch` carries events to the shop's backend. */
export type RelayOptions = {
  config: Config;
  ledger: Ledger;
  send: Send;
  clock?: Clock;
  log?: Log;
  assets?: Assets;
  fetch?: Fetch;
  limiter?: Limiter;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};

export function createRelay({
  config,
  ledger,
  send,
  clock = systemClock,
  log = () => {},
  assets = new Map(),
  fetch = (url, init) => globalThis.fetch(url, init),
  limiter,
}: RelayOptions): Relay {
  const service = createOrderService({ send, timeoutMs: config.service.timeout_ms });
  const breaker = createBreaker(service, clock, (open) => log(open ? 'error' : 'info', 'breaker', { open }));
  const context: Context = {
    config,
    ledger,
    service: breaker.service,
    breaker,
    clock,
    log,
    capabilities: createCapabilities(config, ledger),
  };
  const changes = createChanges(context);
  const follow = createFollow(context, changes);
  const given: Given = {
    context,
    limiter,
    findDepositAddress: createDepositAddress(context),
    follow,
    place: createPlace(context, changes, (order) => follow.ask(order, true)),
  };

  const app = new Hono()
    .options('/v1/*', (c) => {
      const cors = corsHeaders(config, c.req.raw);
      return c.body(null, 204, 'access-control-allow-origin' in cors ? { ...cors, ...preflightHeaders } : cors);
    })
    .post(paths.checkout, mountForPage(given, checkout))
    .post(paths.pay, mountForPage(given, pay))
    .post(paths.query, mountForBackend(given, query))
    .post(paths.depositAddress, mountForPage(given, depositAddress))
    .post(paths.orderTokens, mountForBackend(given, orderTokens))
    .all('/v1/notify/:capability', notify(given))
    .get('/healthz', (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))
    .get('/readyz', readyz(given))
    .get('*', (c, next) => {
      const asset = serveAsset(assets, c);
      return asset ? Promise.resolve(asset) : next();
    })
    .notFound((c) => {
      const { status, body } = failureBody(context, c.req.path, new Failure('not_found', 'no such path'));
      return Response.json(body, { status, headers: corsHeaders(config, c.req.raw) });
    })
    .onError((error, c) => {
      const { status, body } = failureBody(context, c.req.path, error);
      return Response.json(body, { status });
    });

  const sweep = single(() => follow.sweep(Math.ceil(config.service.queries_per_second)));
  const deliver = single(() => deliverEvents({ config, ledger, clock, log, fetch }));
  const tick = async (): Promise<void> => {
    for (const result of await Promise.allSettled([breaker.probe(), sweep(), deliver()]))
      if (result.status === 'rejected') log('error', 'tick', { error: String(result.reason) });
  };
  return {
    fetch: async (request, bindings) => app.fetch(request, bindings),
    tick,
    close: async () => {
      await Promise.allSettled([sweep.running(), deliver.running()]);
    },
  };
}

/** One run at a time: a call while one is under way joins it, so that slow work holds up neither itself nor other work. */
function single(work: () => Promise<void>): (() => Promise<void>) & { running(): Promise<void> } {
  let running: Promise<void> | null = null;
  const start = (): Promise<void> => (running ??= work().finally(() => (running = null)));
  return Object.assign(start, { running: () => running ?? Promise.resolve() });
}

/** A ledger belongs to one mode and one service: orders of a test must never be read as paid in live. @throws when it is another's */
export async function bindLedger(config: Config, ledger: Ledger): Promise<void> {
  const binding = `${config.mode} ${config.service.base_url}`;
  const bound = await ledger.keepSetting('binding', binding);
  if (bound !== binding) throw new Error(`ledger: belongs to "${bound}", the configuration says "${binding}"`);
}
