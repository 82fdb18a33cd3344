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
import { noMetrics, type Clock, type Context, type Log, type Metrics } from './orders/context.js';
import { createFollow } from './orders/follow.js';
import { createInstances } from './orders/instances.js';
import { createPlace } from './orders/place.js';
import { deliverEvents } from './shop-events/deliver.js';
import { serveAsset, type Assets } from './routes/assets.js';
import { checkout } from './routes/checkout.js';
import { depositAddress } from './routes/deposit-address.js';
import {
  begin,
  endWithFailure,
  mountForBackend,
  mountForPage,
  type Bindings,
  type Given,
} from './routes/mount.js';
import { notify } from './routes/notify.js';
import { orderTokens } from './routes/order-tokens.js';
import { pay } from './routes/pay.js';
import { query } from './routes/query.js';
import { readyz } from './routes/readyz.js';
import { resumePage } from './routes/resume-page.js';

export type Relay = {
  fetch(request: Request, bindings?: Bindings): Promise<Response>;
  /** Background work: call it about twice a second, whether or not the last call has ended. */
  tick(): Promise<void>;
  /** Figures of this moment, for the operator. */
  gauges(): Promise<Record<Gauge, number>>;
  /** From now on long polls answer at once, and readiness says that the relay stops. */
  drain(): void;
  /** Drains, and waits for the background work; the ledger is the caller's to close. */
  close(): Promise<void>;
};

export type Gauge =
  | 'breaker_open'
  | 'queries_per_second'
  | 'queries_queued'
  | 'outbox_waiting'
  | 'outbox_lag_seconds';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** `fetch` carries events to the shop's backend; `instance` names this relay among those that share the ledger. */
export type RelayOptions = {
  config: Config;
  ledger: Ledger;
  send: Send;
  clock?: Clock;
  log?: Log;
  assets?: Assets;
  fetch?: Fetch;
  limiter?: Limiter;
  metrics?: Metrics;
  instance?: string;
};

const DAY = 86_400_000;
/** Intents forgotten in one go, and how often that is looked for, in milliseconds. */
const PURGED_AT_ONCE = 200;
const PURGE_EVERY = 600_000;

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
  metrics = noMetrics,
  instance = crypto.randomUUID(),
}: RelayOptions): Relay {
  const service = createOrderService({ send, timeoutMs: config.service.timeout_ms });
  const breaker = createBreaker(service, {
    clock,
    most: config.service.connections,
    log: (open) => log(open ? 'error' : 'info', 'breaker', { open }),
    observe: (operation, result, seconds) =>
      metrics.observe('upstream_seconds', seconds, { operation, result }),
  });
  const context: Context = {
    config,
    ledger,
    service: breaker.service,
    breaker,
    clock,
    log,
    metrics,
    capabilities: createCapabilities(config, ledger),
  };
  const changes = createChanges(context);
  const instances = createInstances(ledger, instance, clock.now);
  const perSecond = (): number => instances.share(config.service.queries_per_second);
  const follow = createFollow(context, changes, perSecond);
  const closing = new AbortController();
  const given: Given = {
    context,
    limiter,
    findDepositAddress: createDepositAddress(context),
    follow,
    closing: closing.signal,
    place: createPlace(context, changes, follow.ask),
  };

  const app = new Hono()
    .options('/v1/*', (c) => {
      const cors = corsHeaders(config, c.req.raw);
      return c.body(
        null,
        204,
        'access-control-allow-origin' in cors ? { ...cors, ...preflightHeaders } : cors,
      );
    })
    .post(paths.checkout, mountForPage(given, checkout))
    .post(paths.pay, mountForPage(given, pay))
    .post(paths.query, mountForBackend(given, query))
    .post(paths.depositAddress, mountForPage(given, depositAddress))
    .post(paths.orderTokens, mountForBackend(given, orderTokens))
    .all('/v1/notify/:capability', notify(given))
    .get('/healthz', (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))
    .get('/readyz', readyz(given))
    .get('/r', resumePage(given))
    .get('*', (c, next) => {
      const asset = serveAsset(assets, c);
      return asset ? Promise.resolve(asset) : next();
    })
    .notFound((c) => {
      const { status, body } = endWithFailure(
        begin(context, '*'),
        new Failure('not_found', 'no such path'),
      );
      return Response.json(body, { status, headers: corsHeaders(config, c.req.raw) });
    })
    .onError((error) => {
      const { status, body } = endWithFailure(begin(context, '*'), error);
      return Response.json(body, { status });
    });

  let purgedAt = 0;
  const background = {
    beat: single(instances.beat),
    hear: single(changes.hear),
    sweep: single(() => follow.sweep(Math.max(1, Math.ceil(perSecond())))),
    deliver: single(() => deliverEvents({ config, ledger, clock, log, metrics, fetch })),
    purge: single(async () => {
      if (clock.now() - purgedAt < PURGE_EVERY) return;
      purgedAt = clock.now();
      const before = clock.now() - config.limits.retention_days * DAY;
      while ((await ledger.purge(before, PURGED_AT_ONCE)) === PURGED_AT_ONCE);
    }),
  };
  const run = async (works: readonly (() => Promise<void>)[]): Promise<void> => {
    for (const result of await Promise.allSettled(works.map((work) => work())))
      if (result.status === 'rejected') log('error', 'tick', { error: String(result.reason) });
  };
  const drain = (): void => {
    closing.abort();
    follow.drain();
  };
  return {
    fetch: async (request, bindings) => app.fetch(request, bindings),
    tick: () =>
      closing.signal.aborted
        ? Promise.resolve()
        : run([breaker.probe, ...Object.values(background)]),
    gauges: async () => {
      const { oldest, waiting } = await ledger.outbox();
      return {
        breaker_open: Number(breaker.isOpen()),
        queries_per_second: perSecond(),
        queries_queued: follow.queued(),
        outbox_waiting: waiting,
        outbox_lag_seconds: oldest === null ? 0 : (clock.now() - oldest) / 1000,
      };
    },
    drain,
    close: async () => {
      drain();
      await Promise.allSettled(Object.values(background).map((work) => work.running()));
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
  if (bound !== binding)
    throw new Error(`ledger: belongs to "${bound}", the configuration says "${binding}"`);
}
