/**
 * The queue for the budget of queries per second, a token bucket: each query waits for a slot, and
 * none waits for ever. Slots are given in rounds of sixteen:
 *
 * - Urgent queries get all slots but two, so that a flood of signals cannot stop the schedule.
 * - One slot goes to the youngest order.
 * - One slot goes to a query with `asked`.
 * - The others go to the query that has waited longest. More slots for young orders would delay the
 *   rest: as it is, each order is queried every (open orders ÷ budget) seconds.
 */
import type { Clock } from '../../runtime.js';

/**
 * urgent: after a lost answer, a refusal or a webhook signal. asked: a page or a backend wants the
 * present status. scheduled: the order's check is due.
 */
export type Urgency = 'urgent' | 'asked' | 'scheduled';

export type QueryQueue = {
  querySlot(createdAt: number, urgency: Urgency): QuerySlot;
  /** Returns a slot that was not used. */
  release(): void;
  /** The number of queries without a slot. */
  waiting(): number;
};

export type QuerySlot = {
  /** Resolves when the order may be asked about. */
  readonly ready: Promise<void>;
  urgency(): Urgency;
  /** Raises the urgency of a waiting query; never lowers it. */
  raise(urgency: Urgency): void;
};

type Waiting = { createdAt: number; urgency: Urgency; go: () => void };

/** The most urgent first. */
const RANKS: readonly Urgency[] = ['urgent', 'asked', 'scheduled'];

/** Unused slots are saved for this long at most, so that bursts stay small. */
const MAX_SAVED_SLOTS_S = 0.1;
const SLOTS_PER_ROUND = 16;
const SLOTS_PER_HALF = SLOTS_PER_ROUND / 2;
/** The slots of a round for the youngest order and for a query with `asked`. */
const YOUNGEST_SLOT = 0;
const ASKED_SLOT = SLOTS_PER_HALF;
/** The slot of each half of a round that urgent queries do not take. */
const NOT_URGENT_SLOT = 4;

/** @param perSecond read for each slot: it changes when another relay starts or stops */
export function createQueryQueue(perSecond: () => number, clock: Clock): QueryQueue {
  const maxSaved = (): number => Math.max(1, perSecond() * MAX_SAVED_SLOTS_S);
  let savedSlots = maxSaved();
  let savedAt = clock.elapsed();
  let isServing = false;
  let slotsGiven = 0;
  let queue: Waiting[] = [];

  const refill = (): void => {
    const now = clock.elapsed();
    savedSlots = Math.min(maxSaved(), savedSlots + ((now - savedAt) / 1000) * perSecond());
    savedAt = now;
  };

  const chooseNext = (): Waiting | undefined => {
    const slot = slotsGiven++ % SLOTS_PER_ROUND;
    const urgent = queue.find(({ urgency }) => urgency === 'urgent');
    if (urgent && slot % SLOTS_PER_HALF !== NOT_URGENT_SLOT) return urgent;
    if (slot === YOUNGEST_SLOT)
      return queue.reduce((young, other) => (other.createdAt > young.createdAt ? other : young));
    if (slot === ASKED_SLOT) return queue.find(({ urgency }) => urgency === 'asked') ?? queue[0];
    return queue[0];
  };

  const serve = async (): Promise<void> => {
    if (isServing) return;
    isServing = true;
    while (queue.length > 0) {
      refill();
      if (savedSlots >= 1) {
        savedSlots--;
        const chosen = chooseNext();
        queue = queue.filter((waiting) => waiting !== chosen);
        chosen?.go();
      } else await clock.sleep(Math.ceil(((1 - savedSlots) / perSecond()) * 1000));
    }
    isServing = false;
  };

  return {
    querySlot: (createdAt, urgency) => {
      const waiting: Waiting = { createdAt, urgency, go: () => {} };
      const ready = new Promise<void>((resolve) => (waiting.go = resolve));
      queue.push(waiting);
      void serve();
      return {
        ready,
        urgency: () => waiting.urgency,
        raise: (other) => {
          if (RANKS.indexOf(other) < RANKS.indexOf(waiting.urgency)) waiting.urgency = other;
        },
      };
    },
    release: () => {
      savedSlots++;
    },
    waiting: () => queue.length,
  };
}
