/**
 * The relay's background work: it polls orders that are due, delivers events to the shop, repairs
 * schedules, counts orders by hour, and deletes what is no longer retained.
 */
import { reportOtherRules } from './bind-ledger.js';
import { reportHeldBack } from './ledger/held-back.js';
import { isUnusable } from './ledger/ledger-errors.js';
import type { Place } from './ledger/operator-ledger.js';
import type { PayLinkRow } from './ledger/pay-link-ledger.js';
import type { Context } from './orders/context.js';
import { DUE_LEASE_MS, type LongPoll } from './orders/polling/long-poll.js';
import type { Instances } from './orders/polling/instances.js';
import type { Stamp } from './ledger/rows.js';
import { interval } from './orders/polling/schedule.js';
import { LONGEST_CLAIM_MS } from './orders/order-store.js';
import type { RefreshIntent } from './orders/refresh-intent.js';
import type { Restored } from './orders/restored/restored.js';
import type { Clock, Hints, Log } from './runtime.js';
import { createScheduler, every, oneAtATime, type Scheduler, type Work } from './scheduler.js';
import { LONGEST_RETRY_WAITS_MS, type Delivery } from './webhooks/deliver.js';
import { createReportUnpaid } from './webhooks/unpaid.js';
import { DAY_MS } from './contract/durations.js';
import { MAX_LINK_LIFETIME_S } from './contract/pay-links.js';

/**
 * Intents or pay links deleted in one step. A step holds SQLite's write lock, and each intent may
 * cost several reads of the disk, so a larger step would keep customers waiting.
 */
const MAX_ROWS_PER_PURGE = 10;
/** Pay links that are read in one step. */
const MAX_LINKS_PER_STEP = 100;
const PURGE_PAUSE_MS = 50;
const PURGE_EVERY_MS = 600_000;
/** An intent is kept at least this long: until then its order token may still pay or resume. */
const TOKEN_LIFE_MS = 2 * DAY_MS;
const MAX_LINK_LIFE_MS = MAX_LINK_LIFETIME_S * 1000;
/** How long an intent is kept when nothing of it was ever sent. */
const UNSENT_KEPT_MS = DAY_MS;
const SYNC_EVERY_MS = 5000;
/** Intents counted in one step, which holds SQLite's write lock for a few milliseconds. */
const MAX_INTENTS_PER_COUNT = 100;
/** A tick begins no step after this time, so that most of the time belongs to customers. */
const MAX_COUNT_MS = 50;
const COUNT_EVERY_MS = 3000;

type BackgroundDeps = {
  context: Context;
  delivery: Delivery;
  longPoll: LongPoll;
  instances: Instances;
  refreshIntent: RefreshIntent;
  restored: Restored;
  /** Reads the changes of other relays. */
  readChanges: Work;
  /** Reads which options are switched off. */
  readSwitches: Work;
  /** Asks again about orders whose status the configuration names by now. */
  followMapped: Work;
  schedules: Schedules;
  /** Stops the relay: a newer relay changed the ledger, or the ledger's file is gone. */
  stop: () => void;
  /** Aborts when the relay stops or its configuration is replaced. */
  closing: AbortSignal;
  /** Logs how many lines of refused requests were left out. */
  logSuppressed: () => void;
  /** This relay's share of the budget of queries. */
  perSecond: () => number;
};

/**
 * The repair of the orders' schedules, which a step back of the clock begins and a reload does not
 * end.
 */
export type Schedules = {
  /** `from`: where the next batch begins, null at the beginning. Null: nothing is to repair. */
  batch: { readonly from: number | null } | null;
};

/** The tasks of each tick. They run at the same time, but none runs twice at once. */
export function createBackground(deps: BackgroundDeps): Scheduler {
  const { clock, config, ledger, log, breaker } = deps.context;
  const { delivery, instances, longPoll, perSecond, readChanges, readSwitches } = deps;
  return createScheduler(
    {
      probe: breaker.probe,
      sync: every(SYNC_EVERY_MS, clock, () => sync(deps)),
      rules: every(SYNC_EVERY_MS, clock, reportOtherRules(config, ledger, log)),
      heldBack: every(SYNC_EVERY_MS, clock, reportHeldBack(ledger, log)),
      repair: repair(deps),
      mapped: deps.followMapped,
      heartbeat: instances.heartbeat,
      changes: readChanges,
      switches: readSwitches,
      refusals: async () => deps.logSuppressed(),
      sweep: () => longPoll.sweep(Math.max(1, Math.ceil(perSecond()))),
      deliver: delivery.deliver,
      unpaid: unpaid(deps),
      purge: every(PURGE_EVERY_MS, clock, () => purge(deps)),
      counts: count(deps),
    },
    log,
  );
}

/** Reads the ledger's clock and settings, and stops the relay when the ledger is unusable. */
async function sync({ context, restored, stop }: BackgroundDeps): Promise<void> {
  const { ledger, log, ledgerClock } = context;
  await ledgerClock.sync();
  await restored.refresh();
  try {
    await ledger.ping();
  } catch (error) {
    if (!isUnusable(error)) throw error;
    log('error', 'ledger', { message: error.message });
    stop();
  }
}

/** Repairs the orders' schedules after a step back of the clock, a part of them at each tick. */
function repair({ context, schedules }: BackgroundDeps): () => Promise<void> {
  const { ledger, ledgerClock } = context;
  return async () => {
    const { batch } = schedules;
    if (!batch) return;
    const longest = {
      claimMs: LONGEST_CLAIM_MS,
      retryMs: LONGEST_RETRY_WAITS_MS,
      checkMs: (made: Stamp) => Math.max(interval(ledgerClock.ageOf(made)), DUE_LEASE_MS),
    };
    // when the ledger cannot be written, the next tick repairs the same batch
    const until = await ledger.repairSchedules(ledgerClock.now(), longest, batch.from);
    // a step back meanwhile has begun another repair
    if (schedules.batch === batch) schedules.batch = until === null ? null : { from: until };
  };
}

/** Reports intents that stay unpaid, where the shop wants to know of them. */
const unpaid = ({ context, refreshIntent }: BackgroundDeps): (() => Promise<void>) => {
  const { capabilities, config, ledger, ledgerClock } = context;
  if (config.shop_events?.unpaid_after_s === undefined) return async () => {};
  return createReportUnpaid({
    config,
    ledger,
    ledgerClock,
    orderKey: (requestId) => capabilities.mint('order', requestId),
    ask: (intentId) => refreshIntent(intentId, 'asked'),
  });
};

/**
 * How long intents are kept. A link that was made before `retention_days` was lowered may be valid
 * for longer than that. Without its paid intent it would take a second payment.
 */
async function retainedMs(deps: BackgroundDeps): Promise<number> {
  const { retention_days } = deps.context.config.limits;
  const retained = Math.max(retention_days * DAY_MS, TOKEN_LIFE_MS);
  if (retained >= MAX_LINK_LIFE_MS) return retained;
  return (await hasLinkOver(deps, retained)) ? MAX_LINK_LIFE_MS : retained;
}

/** Whether a link that is open now was made valid for longer than `ms`. */
async function hasLinkOver({ closing, context }: BackgroundDeps, ms: number): Promise<boolean> {
  const { clock, ledger, ledgerClock } = context;
  const isOpen = ({ expires_at }: PayLinkRow): boolean => expires_at > ledgerClock.earliestNow();
  let after: Place | null = null;
  while (!closing.aborted) {
    // those that expire last come first
    const links: PayLinkRow[] = await ledger.walkPayLinks(after, MAX_LINKS_PER_STEP);
    const open = links.filter(isOpen);
    if (open.some(({ created_at, expires_at }) => expires_at - created_at > ms)) return true;
    const last = open[MAX_LINKS_PER_STEP - 1];
    if (!last) return false;
    after = { at: last.expires_at, id: last.pay_link_id };
    await clock.sleep(PURGE_PAUSE_MS, closing);
  }
  return true;
}

/** Deletes intents that are no longer retained. */
async function purge(deps: BackgroundDeps): Promise<void> {
  const { closing, context } = deps;
  const { clock, ledger, ledgerClock } = context;
  const retained = await retainedMs(deps);
  let after: Place | null = null;
  let unsentAfter = 0;
  /** Each deletes some rows, and tells whether there may be more. */
  const steps = [
    async () => {
      const before = ledgerClock.earliestNow() - retained;
      return (await ledger.purgePayLinks(before, MAX_ROWS_PER_PURGE)) === MAX_ROWS_PER_PURGE;
    },
    async () => {
      const before = ledgerClock.earliestNow() - retained;
      after = (await ledger.purge(before, MAX_ROWS_PER_PURGE, after)).next;
      return after !== null;
    },
    async () => {
      const before = ledgerClock.earliestNow() - UNSENT_KEPT_MS;
      const { next } = await ledger.purgeUnsent(before, MAX_ROWS_PER_PURGE, unsentAfter);
      unsentAfter = next ?? 0;
      return next !== null;
    },
  ];
  for (const step of steps)
    while (!closing.aborted && (await step())) await clock.sleep(PURGE_PAUSE_MS, closing);
}

/** Adds up by hour what changed: a part of it at each tick while there is more. */
function count({ closing, context: { clock, ledger } }: BackgroundDeps): Work {
  const work = async (): Promise<boolean> => {
    const endsAt = clock.elapsed() + MAX_COUNT_MS;
    let isMore = true;
    while (isMore && !closing.aborted && clock.elapsed() < endsAt)
      isMore = await ledger.countChanges(MAX_INTENTS_PER_COUNT);
    return isMore;
  };
  let nextAt = -Infinity;
  return async () => {
    if (clock.elapsed() < nextAt) return;
    nextAt = clock.elapsed() + COUNT_EVERY_MS;
    if (await work()) nextAt = -Infinity;
  };
}

/**
 * PostgreSQL lists a change only after all changes that were numbered before it have ended, so the
 * ledger is read a second time.
 */
const SECOND_READ_AFTER_MS = 100;

/** Reads the ledger when another relay hints that orders changed. */
export function receiveHints(
  hints: Hints,
  deps: { clock: Clock; closing: AbortSignal; log: Log; readChanges: Work },
): void {
  const { clock, closing, log, readChanges } = deps;
  const readTwice = oneAtATime(async () => {
    await readChanges();
    await clock.sleep(SECOND_READ_AFTER_MS, closing);
    if (!closing.aborted) await readChanges();
  });
  hints.receive(() => {
    if (closing.aborted) return;
    readTwice().catch((error: unknown) => log('error', 'hint', { error: String(error) }));
  });
}
