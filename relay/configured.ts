/**
 * The parts of a relay that depend on its configuration. A reload builds them anew beside those
 * under way, as if another relay began on the same ledger: the ledger gives each claim, query and
 * event to one of the two.
 */
import { createBackground, type Schedules } from './background.js';
import type { Config } from './config/schema.js';
import type { LoadRender } from './contract/render.js';
import { createDepositAddress } from './deposits/deposit-address.js';
import type { Limiter } from './http/rate.js';
import { createRefusedOrigins, type SampledLog } from './http/sample-refusals.js';
import { createIdentity } from './intent/identity.js';
import { createCircuitBreaker } from './order-service/circuit-breaker.js';
import { createOrderService, type Send } from './order-service/client.js';
import { OrderServiceError } from './order-service/errors.js';
import type { VerbDeps } from './operator/verbs.js';
import { isNotFound } from './orders/ask-status.js';
import { createCapabilities } from './orders/capabilities.js';
import type { Context } from './orders/context.js';
import { createOptionSwitches, type Offer } from './orders/option-switches.js';
import { createOrderStore } from './orders/order-store.js';
import { createPlace } from './orders/place.js';
import type { TokenBucket } from './orders/polling/budget.js';
import type { Instances } from './orders/polling/instances.js';
import { createFollowMapped } from './orders/polling/follow-mapped.js';
import { createLongPoll, type LongPoll } from './orders/polling/long-poll.js';
import { createRefreshIntent } from './orders/refresh-intent.js';
import { createRestored } from './orders/restored/restored.js';
import { createServiceRefusals, type ServiceState } from './orders/service-refusals.js';
import { remember } from './remember.js';
import type { Assets } from './routes/assets.js';
import type { RouteDeps } from './routes/mount.js';
import { createQueryRoute, createRoutes } from './routes/routes.js';
import type { Fetch, Hints } from './runtime.js';
import { oneAtATime, type Scheduler, type Work } from './scheduler.js';
import { createDelivery } from './webhooks/deliver.js';
import { createSignalReceiver } from './webhooks/incoming-signal.js';

/** What the contexts of all configurations share; the offer is that of the present one. */
type Shared = Omit<Context, 'breaker' | 'capabilities' | 'config' | 'identity' | 'service'>;

/** What a relay keeps when its configuration changes. */
export type Kept = {
  readonly shared: Shared;
  readonly send: Send;
  readonly fetch: Fetch;
  readonly logSuppressed: SampledLog['logSuppressed'];
  readonly assets: Assets;
  readonly loadRender: LoadRender;
  readonly limiter: Limiter | undefined;
  readonly hints: Hints;
  readonly instances: Instances;
  /** Whether the ledger can be read and not written, so that new pays are refused. */
  readonly isReadOnly: () => boolean;
  readonly schedules: Schedules;
  /** This relay's share of the budget of queries. */
  readonly perSecond: () => number;
  /** The slots of that share, for the parts of all configurations together. */
  readonly slots: TokenBucket;
  readonly stop: () => void;
  /** Aborts when the relay stops. */
  readonly closing: AbortSignal;
};

export type Configured = {
  readonly context: Context;
  readonly app: ReturnType<typeof createRoutes>;
  readonly answerQuery: ReturnType<typeof createQueryRoute>;
  readonly tick: Scheduler['tick'];
  readonly readChanges: Work;
  readonly queued: LongPoll['queued'];
  readonly query: LongPoll['query'];
  readonly verbDeps: VerbDeps;
  readonly serviceState: () => ServiceState;
  /** The configured options, without those that are switched off. */
  readonly offer: () => Offer;
  /** Reads the ledger's clock and the options that are off, once, before the first request. */
  readonly ready: () => Promise<void>;
  /**
   * Answers long polls at once, begins no further background work, and hands waiting queries over
   * to the next configuration, where there is one.
   */
  readonly retire: (next?: LongPoll['query']) => void;
  /** Resolves when the background work under way has ended. */
  readonly idle: () => Promise<void>;
};

/** Builds the parts for one configuration. They do no work before a call. */
export function createConfigured(config: Config, kept: Kept): Configured {
  const { closing, instances, shared } = kept;
  const { clock, ledger, ledgerClock, log, metrics } = shared;
  const { connections, sign, timeout_ms } = config.service;
  const service = createOrderService({ send: kept.send, sign, timeoutMs: timeout_ms });
  const refusals = createServiceRefusals(config, metrics);
  const breaker = createCircuitBreaker(service, {
    clock,
    maxConcurrent: connections,
    log: (open) => log(open ? 'error' : 'info', 'breaker', { open }),
    observe: (operation, result, seconds, error) => {
      // no fault: the service is asked whether it has an order whose answer was lost
      const isAbsent =
        operation === 'query' && error instanceof OrderServiceError && isNotFound(config, error);
      const labels = { operation, result: isAbsent ? 'not_found' : result };
      metrics.observe('upstream_seconds', seconds, labels);
      refusals.note(operation, error);
    },
  });
  const switches = createOptionSwitches(config, ledger);
  const hasOthers = (): boolean => instances.names().length > 1;
  const context: Context = {
    ...shared,
    config,
    service: breaker.service,
    breaker,
    capabilities: createCapabilities(config, ledger, {
      present: hasOthers,
      elapsed: clock.elapsed,
    }),
    identity: createIdentity(config, ledger),
  };
  const retired = new AbortController();
  const store = createOrderStore(context, kept.hints);
  const restored = createRestored(context, store);
  const longPoll = createLongPoll(context, store, kept.perSecond, kept.slots);
  const refreshIntent = createRefreshIntent(context, { longPoll, restored });
  const { inBudget, queryNow } = longPoll;
  const delivery = createDelivery({
    ...context,
    fetch: kept.fetch,
    hasOthers,
    closing: retired.signal,
  });
  const readChanges = oneAtATime(store.pollChanges);
  const scheduler = createBackground({
    context,
    delivery,
    longPoll,
    instances,
    refreshIntent,
    restored,
    schedules: kept.schedules,
    stop: kept.stop,
    closing: retired.signal,
    readChanges,
    readSwitches: switches.refresh,
    followMapped: createFollowMapped(context, store),
    logSuppressed: kept.logSuppressed,
    perSecond: kept.perSecond,
  });
  const serviceState = (): ServiceState => {
    if (breaker.isOpen()) return 'silent';
    return refusals.refuses() ? 'refuses' : 'ok';
  };
  const routeDeps: RouteDeps = {
    context,
    limiter: kept.limiter,
    logRefusedOrigin: createRefusedOrigins(log),
    findDepositAddress: createDepositAddress(context),
    loadRender: kept.loadRender,
    longPoll,
    closing,
    isReadOnly: kept.isReadOnly,
    place: createPlace(context, { store, restored, queryNow }),
    receiveSignal: createSignalReceiver({ ...context, apply: store.apply, queryNow, closing }),
    refreshIntent,
    restored,
    serviceState,
    store,
  };
  return {
    context,
    app: createRoutes(routeDeps, kept.assets),
    answerQuery: createQueryRoute(routeDeps),
    tick: scheduler.tick,
    readChanges,
    queued: longPoll.queued,
    query: longPoll.query,
    verbDeps: { context: { ...context, inBudget }, restored, store },
    serviceState,
    offer: switches.offer,
    ready: remember(async () => {
      await ledgerClock.read();
      await switches.refresh();
    }),
    retire: (next) => {
      retired.abort();
      longPoll.drain(next);
    },
    idle: async () => void (await Promise.all([scheduler.idle(), delivery.idle()])),
  };
}
