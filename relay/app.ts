/** The relay: a fetch handler and a tick, for each runtime that has fetch and WebCrypto. */
import { createBackground, receiveHints } from './background.js';
import type { Config } from './config/schema.js';
import type { Limiter } from './http/rate.js';
import { createRefusedOrigins, sampleRefusals } from './http/sample-refusals.js';
import { Failure } from './contract/failure.js';
import type { LoadRender } from './contract/render.js';
import { readGauges, type Gauges, type RelayState } from './gauges.js';
import { createIdentity } from './intent/identity.js';
import { createLedgerClock } from './ledger/ledger-clock.js';
import type { Ledger } from './ledger/ledger.js';
import { createDepositAddress } from './deposits/deposit-address.js';
import { createOrderService, type Send } from './order-service/client.js';
import { createCircuitBreaker } from './order-service/circuit-breaker.js';
import { createCapabilities } from './orders/capabilities.js';
import type { Context } from './orders/context.js';
import { createLongPoll } from './orders/polling/long-poll.js';
import { createInstances } from './orders/polling/instances.js';
import { createOptionSwitches } from './orders/option-switches.js';
import { createOrderStore } from './orders/order-store.js';
import { createPlace } from './orders/place.js';
import { createPlacingLimit } from './orders/placing-limit.js';
import { createRefreshIntent } from './orders/refresh-intent.js';
import { createRestored } from './orders/restored/restored.js';
import { createServiceRefusals, type ServiceState } from './orders/service-refusals.js';
import { remember } from './remember.js';
import {
  completeClock,
  noHints,
  noMetrics,
  systemClock,
  type Fetch,
  type GivenClock,
  type Hints,
  type Log,
  type Metrics,
} from './runtime.js';
import { bindVerbs, type Verbs } from './operator/verbs.js';
import { oneAtATime } from './scheduler.js';
import { createDelivery } from './webhooks/deliver.js';
import { createSignalReceiver } from './webhooks/incoming-signal.js';
import type { Assets } from './routes/assets.js';
import type { Bindings, RouteDeps } from './routes/mount.js';
import { createRoutes } from './routes/routes.js';

export type Relay = {
  fetch(request: Request, bindings?: Bindings): Promise<Response>;
  /** Does background work. Call it about twice a second, even while the previous call runs. */
  tick(): Promise<void>;
  /** The present values of the operator's gauges. */
  gauges(): Promise<Gauges>;
  state(): Promise<RelayState>;
  /** What whoever runs the shop may do. */
  verbs: Verbs;
  /** From now on long polls are answered at once, and /readyz says that the relay is stopping. */
  drain(): void;
  /**
   * Drains, and waits for the background work and for all requests under way. A pay whose customer
   * has left is waited for too: if it were cut off, its answer would be lost. The caller closes the
   * ledger.
   *
   * @param withinMs the longest wait for the requests
   */
  close(withinMs?: number): Promise<void>;
};

export type RelayOptions = {
  config: Config;
  ledger: Ledger;
  /** Carries requests to the order service. */
  send: Send;
  clock?: GivenClock;
  log?: Log;
  assets?: Assets;
  /** Loads the renderer of the element; without it, /v1/render is refused. */
  loadRender?: LoadRender;
  /** Carries events to the shop's backend. */
  fetch?: Fetch;
  limiter?: Limiter;
  metrics?: Metrics;
  /**
   * Which part of its time the process has worked since the last call, from 0 to 1; by default 0.
   * While it is high, the relay sends fewer scheduled queries.
   */
  busy?: () => number;
  /** Reaches the other relays of the ledger. */
  hints?: Hints;
  /** This relay's name among those that share the ledger; by default a random one. */
  instance?: string;
};

const DRAIN_WITHIN_MS = 20_000;

const noRenderer: LoadRender = () =>
  Promise.reject(new Failure('not_configured', 'this relay was given no renderer'));

/** Builds a relay from its parts. It does no work before a call of `fetch` or `tick`. */
export function createRelay({
  config,
  ledger,
  send,
  clock: givenClock = systemClock,
  log: write = () => {},
  assets = new Map(),
  loadRender = noRenderer,
  fetch = (url, init) => globalThis.fetch(url, init),
  limiter,
  metrics = noMetrics,
  busy = () => 0,
  hints = noHints,
  instance = crypto.randomUUID(),
}: RelayOptions): Relay {
  const clock = completeClock(givenClock);
  const { log, logSuppressed } = sampleRefusals(write, clock.elapsed);
  const { sign, timeout_ms } = config.service;
  const service = createOrderService({ send, sign, timeoutMs: timeout_ms });
  const refusals = createServiceRefusals(config, metrics);
  const breaker = createCircuitBreaker(service, {
    clock,
    maxConcurrent: config.service.connections,
    log: (open) => log(open ? 'error' : 'info', 'breaker', { open }),
    observe: (operation, result, seconds, error) => {
      metrics.observe('upstream_seconds', seconds, { operation, result });
      refusals.note(operation, error);
    },
  });
  // a process that was killed may have written schedules by a wrong clock: repair them at the start
  const schedules = { broken: true };
  const ledgerClock = createLedgerClock(ledger, clock, () => {
    log('warn', 'clock', { message: 'the clock stepped back: schedules are repaired' });
    schedules.broken = true;
  });
  const switches = createOptionSwitches(config, ledger);
  const context: Context = {
    config,
    ledger,
    service: breaker.service,
    breaker,
    clock,
    ledgerClock,
    log,
    metrics,
    busy,
    capabilities: createCapabilities(config, ledger),
    identity: createIdentity(config, ledger),
    placingLimit: createPlacingLimit(clock),
    offer: switches.offer,
  };
  const store = createOrderStore(context, hints);
  const restored = createRestored(context, store);
  const instances = createInstances(ledger, instance, clock.elapsed);
  const perSecond = (): number => instances.share(config.service.queries_per_second);
  const longPoll = createLongPoll(context, store, perSecond);
  const refreshIntent = createRefreshIntent(context, { longPoll, restored });
  const { queryNow } = longPoll;
  const place = createPlace(context, { store, restored, queryNow });
  const delivery = createDelivery({ ...context, fetch });
  const closing = new AbortController();
  const receiveSignal = createSignalReceiver({
    verify: (requestId, capability) => context.capabilities.verify('notify', requestId, capability),
    findOrder: async (requestId) => (await ledger.find(requestId))?.order ?? null,
    queryNow,
    closing: closing.signal,
    log,
    metrics,
  });
  const serviceState = (): ServiceState => {
    if (breaker.isOpen()) return 'silent';
    return refusals.refuses() ? 'refuses' : 'ok';
  };
  const deps: RouteDeps = {
    context,
    limiter,
    logRefusedOrigin: createRefusedOrigins(log),
    findDepositAddress: createDepositAddress(context),
    loadRender,
    longPoll,
    closing: closing.signal,
    isReadOnly: instances.isReadOnly,
    place,
    receiveSignal,
    refreshIntent,
    restored,
    serviceState,
    store,
  };
  /** Reads the ledger's clock and the options that are off, once, before the first request. */
  const ready = remember(async () => {
    await ledgerClock.read();
    await switches.refresh();
  });

  const app = createRoutes(deps, assets);

  const drain = (): void => {
    closing.abort();
    longPoll.drain();
  };
  const readChanges = oneAtATime(store.pollChanges);
  receiveHints(hints, { clock, closing: closing.signal, log, readChanges });
  const scheduler = createBackground({
    context,
    delivery,
    longPoll,
    instances,
    refreshIntent,
    restored,
    schedules,
    stop: drain,
    closing: closing.signal,
    readChanges,
    readSwitches: switches.refresh,
    logSuppressed,
    perSecond,
  });
  const gauges = (): Promise<Gauges> => readGauges(context, { perSecond, queued: longPoll.queued });
  let underWay = 0;
  const idleWaiters = new Set<AbortController>();
  return {
    fetch: async (request, bindings) => {
      underWay++;
      try {
        // when the ledger cannot be read, the operation that reads it fails and is logged
        await ready().catch(() => {});
        return await app.fetch(request, bindings);
      } finally {
        underWay--;
        if (underWay === 0) idleWaiters.forEach((waiter) => waiter.abort());
      }
    },
    tick: async () => {
      if (closing.signal.aborted) return;
      await ready().catch((error: unknown) => log('error', 'tick', { error: String(error) }));
      await scheduler.tick();
    },
    gauges,
    state: async () => ({
      mode: config.mode,
      instance,
      relays: instances.names(),
      service: serviceState(),
      gauges: await gauges(),
    }),
    verbs: bindVerbs({ context, refreshIntent, restored, store }),
    drain,
    close: async (withinMs = DRAIN_WITHIN_MS) => {
      drain();
      const idle = new AbortController();
      idleWaiters.add(idle);
      if (underWay > 0) await clock.sleep(withinMs, idle.signal);
      idleWaiters.delete(idle);
      await Promise.all([scheduler.idle(), delivery.idle()]);
    },
  };
}
