/** The relay: a fetch handler and a tick, for each runtime that has fetch and WebCrypto. */
import { receiveHints, type Schedules } from './background.js';
import { getPath } from 'hono/utils/url';
import type { Config } from './config/schema.js';
import { createConfigured, type Configured, type Kept } from './configured.js';
import type { Limiter } from './http/rate.js';
import { sampleRefusals } from './http/sample-refusals.js';
import { Failure } from './contract/failure.js';
import { paths } from './contract/paths.js';
import type { LoadRender } from './contract/render.js';
import { readGauges, type Gauges, type RelayState } from './gauges.js';
import { createLedgerClock } from './ledger/ledger-clock.js';
import type { Ledger } from './ledger/ledger.js';
import type { Send } from './order-service/client.js';
import { createTokenBucket } from './orders/polling/budget.js';
import { createInstances } from './orders/polling/instances.js';
import { createPlacingLimit } from './orders/placing-limit.js';
import type { VerbDeps } from './operator/verbs.js';
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
import type { Assets } from './routes/assets.js';
import type { Bindings } from './routes/mount.js';
import { createSignalCounts } from './webhooks/signal-counts.js';

export type Relay = {
  fetch(request: Request, bindings?: Bindings): Promise<Response>;
  /** Does background work. Call it about twice a second, even while the previous call runs. */
  tick(): Promise<void>;
  /** The present values of the operator's gauges. */
  gauges(): Promise<Gauges>;
  state(): Promise<RelayState>;
  /** What the operator's verbs work with. A reload replaces it, so ask anew for each verb. */
  verbDeps(): VerbDeps;
  /**
   * Takes another configuration of the same ledger and the same service. Requests under way end by
   * the former one; long polls are answered at once, and their pages ask again.
   *
   * @throws Error when the ledger cannot be read, or when the relay stops; the former one stays
   */
  reload(config: Config): Promise<void>;
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
  clock?: GivenClock | undefined;
  log?: Log | undefined;
  assets?: Assets | undefined;
  /** Loads the renderer of the element; without it, /v1/render is refused. */
  loadRender?: LoadRender | undefined;
  /** Carries events to the shop's backend. */
  fetch?: Fetch | undefined;
  limiter?: Limiter | undefined;
  metrics?: Metrics | undefined;
  /**
   * Which part of its time the process has worked since the last call, from 0 to 1; by default 0.
   * While it is high, the relay sends fewer scheduled queries.
   */
  busy?: (() => number) | undefined;
  /** Reaches the other relays of the ledger. */
  hints?: Hints | undefined;
  /** This relay's name among those that share the ledger; by default a random one. */
  instance?: string | undefined;
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
  // a process that was killed may have written schedules by a wrong clock: repair them at the start
  const schedules: Schedules = { batch: { from: null } };
  const ledgerClock = createLedgerClock(ledger, clock, () => {
    log('warn', 'clock', { message: 'the clock stepped back: schedules are repaired' });
    schedules.batch = { from: null };
  });
  const instances = createInstances(ledger, instance, clock.elapsed);
  const closing = new AbortController();
  const placingLimit = createPlacingLimit(clock);
  const isReadOnly = (): boolean => instances.isReadOnly() || placingLimit.isRefused();
  let budgetPerSecond = config.service.queries_per_second;
  const perSecond = (): number => instances.share(budgetPerSecond);
  const drain = (): void => {
    closing.abort();
    current.retire();
  };
  const kept: Kept = {
    shared: {
      ledger,
      clock,
      ledgerClock,
      log,
      metrics,
      busy,
      placingLimit,
      signalCounts: createSignalCounts(),
      offer: () => current.offer(),
    },
    send,
    fetch,
    logSuppressed,
    assets,
    loadRender,
    limiter,
    hints,
    instances,
    isReadOnly,
    schedules,
    perSecond,
    slots: createTokenBucket(perSecond, clock.elapsed),
    stop: drain,
    closing: closing.signal,
  };
  let current = createConfigured(config, kept);
  /** Those of earlier configurations whose background work has not ended. */
  const retired = new Set<Configured>();
  const readChanges = (): Promise<void> => current.readChanges();
  receiveHints(hints, { clock, closing: closing.signal, log, readChanges });
  const gauges = (): Promise<Gauges> =>
    readGauges(current.context, {
      isReadOnly,
      perSecond,
      queued: current.queued,
      serviceState: current.serviceState,
    });
  let underWay = 0;
  const idleWaiters = new Set<AbortController>();
  return {
    fetch: async (request, bindings) => {
      const { answerQuery, app, ready } = current;
      const isQuery = request.method === 'POST' && getPath(request) === paths.query;
      const serve = isQuery ? answerQuery : app.fetch;
      underWay++;
      // when the ledger cannot be read, the operation that reads it fails and is logged
      const answer = ready()
        .catch(() => {})
        .then(() => serve(request, bindings))
        .finally(() => {
          underWay--;
          if (underWay === 0) idleWaiters.forEach((waiter) => waiter.abort());
        });
      return isQuery && bindings?.letGo ? bindings.letGo(answer) : answer;
    },
    tick: async () => {
      if (closing.signal.aborted) return;
      const { ready, tick } = current;
      await ready().catch((error: unknown) => log('error', 'tick', { error: String(error) }));
      await tick();
    },
    gauges,
    state: async () => ({
      mode: current.context.config.mode,
      instance: instances.names()[0] ?? instance,
      relays: instances.names(),
      service: current.serviceState(),
      gauges: await gauges(),
    }),
    verbDeps: () => current.verbDeps,
    reload: async (changed) => {
      const next = createConfigured(changed, kept);
      // before the first request: an option that is switched off must not be offered
      await next.ready();
      if (closing.signal.aborted) throw new Error('the relay is stopping, or only reads a clone');
      const last = current;
      current = next;
      budgetPerSecond = changed.service.queries_per_second;
      last.retire((order, urgency) => current.query(order, urgency));
      retired.add(last);
      void last.idle().finally(() => retired.delete(last));
    },
    drain,
    close: async (withinMs = DRAIN_WITHIN_MS) => {
      drain();
      const idle = new AbortController();
      idleWaiters.add(idle);
      if (underWay > 0) await clock.sleep(withinMs, idle.signal);
      idleWaiters.delete(idle);
      await Promise.all([current, ...retired].map((each) => each.idle()));
    },
  };
}
