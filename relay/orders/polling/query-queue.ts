/**
 * The queue for the budget of queries per second: each query waits for a slot, and none waits for
 * ever. Slots are given in rounds of sixteen:
 *
 * - Urgent queries get all slots but two, so that a flood of signals cannot stop the schedule.
 * - One slot goes to the youngest order.
 * - One slot goes to a query with `asked`.
 * - The other slots go to the query that has waited longest, so that each order is queried every
 *   (open orders ÷ budget) seconds. More slots for young orders would delay all other orders.
 *
 * When the service or this process is slow, fewer queries are sent than the budget allows: only so
 * many are under way at once. The others wait here, where an urgent one comes first.
 *
 * The queue is our own code, because p-queue has a fixed rate and serves all tasks of a higher
 * priority first.
 */
import type { Clock } from '../../runtime.js';
import { createTokenBucket, type TokenBucket } from './budget.js';
import { nextTurn } from './pacing.js';

/**
 * urgent: after a lost answer, a refusal or a webhook signal. asked: a page or a backend wants the
 * present status. scheduled: the order's check is due.
 */
export type Urgency = 'urgent' | 'asked' | 'scheduled';

export type QueryQueue = {
  querySlot(createdAt: number, urgency: Urgency): QuerySlot;
  /** The number of queries without a slot. */
  waiting(): number;
};

export type QuerySlot = {
  /** Resolves when the order may be asked about. The caller must then call `end` some time. */
  readonly ready: Promise<void>;
  /**
   * Ends the query.
   *
   * @param wasUsed false when nothing was sent: another query then gets the slot
   */
  end(wasUsed: boolean): void;
  urgency(): Urgency;
  /** Raises the urgency of a waiting query; never lowers it. */
  raise(urgency: Urgency): void;
};

type Waiting = {
  createdAt: number;
  urgency: Urgency;
  /** The urgency with which it got its slot, which may be raised afterwards; null: it waits. */
  servedAs: Urgency | null;
  go: () => void;
};

/** The most urgent first. */
const RANKS: readonly Urgency[] = ['urgent', 'asked', 'scheduled'];

/**
 * Most scheduled queries in one turn of the event loop. More of them would make the turns of a busy
 * process longer, and Node.js accepts one new connection in each turn. When 5,000 orders were open,
 * the relays of a full machine served 40 customers a second with two, and 14 with eight.
 */
const MAX_SCHEDULED_IN_TURN = 2;
const SLOTS_PER_ROUND = 16;
const SLOTS_PER_HALF = SLOTS_PER_ROUND / 2;
/** The slots of a round for the youngest order and for a query with `asked`. */
const YOUNGEST_SLOT = 0;
const ASKED_SLOT = SLOTS_PER_HALF;
/** The slot of each half of a round that urgent queries do not take. */
const NOT_URGENT_SLOT = 4;

type QueryLimits = {
  /** Read for each slot: it changes when another relay starts or stops. */
  perSecond: () => number;
  /** The part of `perSecond` that scheduled queries may use at present. */
  scheduledPerSecond: () => number;
  /** How many queries may have a slot and not have ended. */
  atOnce: number;
  /** The budget, which several queues may share. */
  slots: TokenBucket;
};

export function createQueryQueue(
  { atOnce, perSecond, scheduledPerSecond, slots }: QueryLimits,
  clock: Clock,
): QueryQueue {
  const scheduledSlots = createTokenBucket(scheduledPerSecond, clock.elapsed);
  let isServing = false;
  let slotsGiven = 0;
  let underWay = 0;
  let scheduledInTurn = 0;
  let cancelServe = (): void => {};
  // the queries without a slot, in the order in which they came
  const all = new Set<Waiting>();
  const urgent = new Set<Waiting>();
  /** Also holds queries that have become urgent: these get their slot as such first. */
  const asked = new Set<Waiting>();
  const join = (waiting: Waiting): void => {
    if (waiting.urgency === 'urgent') urgent.add(waiting);
    if (waiting.urgency === 'asked') asked.add(waiting);
  };
  const first = (queries: ReadonlySet<Waiting>): Waiting | undefined =>
    queries.values().next().value;

  /**
   * Of the same age, the one that came first. It reads all of them, which takes a third of a
   * millisecond for 5,000, once in a round.
   */
  const youngest = (): Waiting | undefined => {
    let found: Waiting | undefined;
    for (const waiting of all) if (!found || waiting.createdAt > found.createdAt) found = waiting;
    return found;
  };

  const chooseNext = (): Waiting | undefined => {
    const slot = slotsGiven++ % SLOTS_PER_ROUND;
    const isForUrgent = slot % SLOTS_PER_HALF !== NOT_URGENT_SLOT;
    if (isForUrgent && urgent.size > 0) return first(urgent);
    if (slot === YOUNGEST_SLOT) return youngest();
    if (slot === ASKED_SLOT && asked.size > 0) return first(asked);
    return first(all);
  };

  const give = (chosen: Waiting): void => {
    slots.take();
    for (const queries of [all, urgent, asked]) queries.delete(chosen);
    underWay++;
    if (chosen.urgency === 'scheduled') {
      scheduledSlots.take();
      scheduledInTurn++;
    }
    chosen.servedAs = chosen.urgency;
    chosen.go();
  };

  const giveBack = ({ servedAs }: Waiting): void => {
    slots.giveBack();
    if (servedAs === 'scheduled') scheduledSlots.giveBack();
  };

  /** How long scheduled queries must wait because the process is busy. */
  const heldMs = (): number =>
    scheduledPerSecond() < perSecond() ? scheduledSlots.untilNextMs() : 0;

  const serve = async (): Promise<void> => {
    if (isServing) return;
    isServing = true;
    cancelServe();
    while (all.size > 0 && underWay < atOnce) {
      const areAllScheduled = urgent.size === 0 && asked.size === 0;
      const mustYield = areAllScheduled && scheduledInTurn >= MAX_SCHEDULED_IN_TURN;
      const pauseMs = slots.untilNextMs();
      if (pauseMs > 0 || mustYield) {
        await (pauseMs > 0 ? clock.sleep(pauseMs) : nextTurn());
        scheduledInTurn = 0;
        continue;
      }
      const waitMs = heldMs();
      if (waitMs > 0 && areAllScheduled) {
        // no sleep in this loop: a query that somebody waits for may come, and calls `serve`
        cancelServe = clock.after(waitMs, () => void serve());
        break;
      }
      const chosen = waitMs > 0 ? (first(urgent) ?? first(asked)) : chooseNext();
      if (!chosen) break;
      give(chosen);
    }
    isServing = false;
  };

  return {
    querySlot: (createdAt, urgency) => {
      const waiting: Waiting = { createdAt, urgency, servedAs: null, go: () => {} };
      const ready = new Promise<void>((resolve) => (waiting.go = resolve));
      all.add(waiting);
      join(waiting);
      void serve();
      return {
        ready,
        end: (wasUsed) => {
          underWay--;
          if (!wasUsed) giveBack(waiting);
          void serve();
        },
        urgency: () => waiting.urgency,
        raise: (other) => {
          if (RANKS.indexOf(other) >= RANKS.indexOf(waiting.urgency)) return;
          waiting.urgency = other;
          // one that has its slot would get a second one
          if (!all.has(waiting)) return;
          join(waiting);
          void serve();
        },
      };
    },
    waiting: () => all.size,
  };
}
