/**
 * The relay's background work: it polls orders that are due, delivers events to the shop, repairs
 * schedules, and deletes what is no longer retained.
 */
import { isUnusable } from './ledger/ledger.js';
import type { Context } from './orders/context.js';
import type { LongPoll } from './orders/polling/long-poll.js';
import type { Instances } from './orders/polling/instances.js';
import { claimMs, type OrderStore } from './orders/order-store.js';
import type { Restored } from './orders/restored.js';
import { createScheduler, every, type Scheduler } from './scheduler.js';
import type { Delivery } from './webhooks/deliver.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/**
 * Intents forgotten in one step, which holds SQLite's write lock: a customer waits no longer for it
 * than for the disk. Of a ledger that memory does not hold, each intent costs some reads of the
 * disk.
 */
const PURGE_STEP = 10;
const PURGE_PAUSE_MS = 50;
const PURGE_EVERY_MS = 600_000;
/** No token that could still pay, or resume, outlives its intent. */
const TOKEN_LIFE_MS = 2 * DAY_MS;
/** Intents of which nothing was ever sent are forgotten after so long. */
const UNSENT_KEPT_MS = DAY_MS;
const SYNC_EVERY_MS = 5000;

type BackgroundDeps = {
  context: Context;
  delivery: Delivery;
  longPoll: LongPoll;
  instances: Instances;
  restored: Restored;
  store: OrderStore;
  /** `broken` is set when the clock stepped back; the schedules are then repaired. */
  schedules: { broken: boolean };
  /** Stops the relay: a newer one has changed the ledger. */
  stop: () => void;
  closing: AbortSignal;
  /** Writes the count of refusals that the log left out. */
  tell: () => void;
  /** Queries that fall to this relay. */
  perSecond: () => number;
};

export function createBackground(deps: BackgroundDeps): Scheduler {
  const { clock, log, breaker } = deps.context;
  const { delivery, instances, longPoll, perSecond, store, tell } = deps;
  return createScheduler(
    {
      probe: breaker.probe,
      sync: every(SYNC_EVERY_MS, clock, () => sync(deps)),
      repair: repair(deps),
      heartbeat: instances.heartbeat,
      changes: store.pollChanges,
      refusals: async () => tell(),
      sweep: () => longPoll.sweep(Math.max(1, Math.ceil(perSecond()))),
      deliver: delivery.deliver,
      purge: every(PURGE_EVERY_MS, clock, () => purge(deps)),
    },
    log,
  );
}

async function sync({ context, restored, stop }: BackgroundDeps): Promise<void> {
  const { ledger, log, time } = context;
  await time.sync();
  await restored.refresh();
  try {
    await ledger.ping();
  } catch (error) {
    if (!isUnusable(error)) throw error;
    log('error', 'ledger', { message: error.message });
    stop();
  }
}

/** One step of the walk over all schedules at each tick. */
function repair({ context, schedules }: BackgroundDeps): () => Promise<void> {
  const { ledger, time } = context;
  let from: number | null = null;
  return async () => {
    if (schedules.broken) from = null;
    if (!schedules.broken && from === null) return;
    schedules.broken = false;
    from = await ledger.repairSchedules(time.now(), claimMs(context), from);
  };
}

async function purge({ closing, context }: BackgroundDeps): Promise<void> {
  const { clock, config, ledger, time } = context;
  const retained = Math.max(config.limits.retention_days * DAY_MS, TOKEN_LIFE_MS);
  const steps = [
    () => ledger.purge(time.ageNow() - retained, PURGE_STEP),
    () => ledger.purgeUnsent(time.ageNow() - UNSENT_KEPT_MS, PURGE_STEP),
  ];
  for (const step of steps)
    while (!closing.aborted && (await step()) === PURGE_STEP)
      await clock.sleep(PURGE_PAUSE_MS, closing);
}
