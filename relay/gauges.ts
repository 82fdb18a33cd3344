/** The operator's gauges. Those of the ledger are right after a restart too. */
import type { Config } from './config/schema.js';
import { openOutcomes, type OpenOutcome } from './ledger/rows.js';
import type { Context } from './orders/context.js';
import type { ServiceState } from './orders/service-refusals.js';
import type { LongPoll } from './orders/polling/long-poll.js';

/** Names of the gauges, without the prefix of the metrics. */
export type Gauge =
  | 'breaker_open'
  | 'ledger_read_only'
  | 'service_refuses'
  | 'queries_per_second'
  | 'queries_queued'
  | 'outbox_waiting'
  | 'outbox_lag_seconds'
  | 'outbox_stopped'
  | 'lists_held_back_seconds';

/** Those that have one value for each open outcome. */
export type OutcomeGauge = 'orders_open' | 'orders_oldest_seconds';

export type Gauges = Record<Gauge, number> & Record<OutcomeGauge, Record<OpenOutcome, number>>;

/** What the relay that answers knows of itself, of the others and of the service. */
export type RelayState = {
  readonly mode: Config['mode'];
  readonly instance: string;
  /** The relays that share the ledger and are alive; the one that answers comes first. */
  readonly relays: readonly string[];
  readonly service: ServiceState;
  readonly gauges: Gauges;
};

/** How the calls of the order service went, since the process began. */
export type Upstream = {
  /** How many calls had each result; a result that nothing had is not there. */
  readonly results: Readonly<Record<string, number>>;
  /**
   * Seconds within which half of the calls ended, and 95 of 100: a bound of the metric's buckets.
   * Null when they took longer than its last bound, or when there was no call.
   */
  readonly half_s: number | null;
  readonly most_s: number | null;
};

/** What the console shows of the relay that it asks. */
export type ConsoleState = RelayState & { readonly upstream: Upstream };

const byOutcome = (valueOf: (outcome: OpenOutcome) => number): Record<OpenOutcome, number> =>
  Object.fromEntries(openOutcomes.map((outcome) => [outcome, valueOf(outcome)])) as Record<
    OpenOutcome,
    number
  >;

type GaugeSources = Pick<LongPoll, 'queued'> & {
  readonly isReadOnly: () => boolean;
  readonly perSecond: () => number;
  readonly serviceState: () => ServiceState;
};

export async function readGauges(
  context: Pick<Context, 'breaker' | 'config' | 'ledger' | 'ledgerClock'>,
  { isReadOnly, perSecond, queued, serviceState }: GaugeSources,
): Promise<Gauges> {
  const { breaker, config, ledger, ledgerClock } = context;
  const [{ oldest, stopped, waiting }, heldBack, open] = await Promise.all([
    // events wait for `shop_events` to come back, and meanwhile nobody waits for them
    config.shop_events ? ledger.outbox() : { oldest: null, stopped: 0, waiting: 0 },
    ledger.heldBack(),
    ledger.openOrders(),
  ]);
  const openOf = (outcome: OpenOutcome) => open.find((each) => each.outcome === outcome);
  const ageOf = (since: number): number => (ledgerClock.now() - since) / 1000;
  return {
    breaker_open: Number(breaker.isOpen()),
    ledger_read_only: Number(isReadOnly()),
    service_refuses: Number(serviceState() === 'refuses'),
    queries_per_second: perSecond(),
    queries_queued: queued(),
    outbox_waiting: waiting,
    outbox_lag_seconds: oldest === null ? 0 : ageOf(oldest),
    outbox_stopped: stopped,
    lists_held_back_seconds: (heldBack?.ms ?? 0) / 1000,
    orders_open: byOutcome((outcome) => openOf(outcome)?.count ?? 0),
    orders_oldest_seconds: byOutcome((outcome) => {
      const found = openOf(outcome);
      return found ? ageOf(found.oldest) : 0;
    }),
  };
}
