/**
 * The budget of queries per second: whoever wants to ask waits for a slot, and all get one in time.
 */
import type { Clock } from '../../runtime.js';

/**
 * urgent: a lost answer, a signal of the service. asked: somebody pressed "check now". scheduled:
 * it is time.
 */
export type Urgency = 'urgent' | 'asked' | 'scheduled';

export type QueryQueue = {
  /** `ready` resolves when the order may be asked about; until then it may be made more urgent. */
  querySlot(createdAt: number, urgency: Urgency): QuerySlot;
  /** Returns a slot that was not used. */
  release(): void;
  waiting(): number;
};

export type QuerySlot = {
  readonly ready: Promise<void>;
  urgency(): Urgency;
  raise(urgency: Urgency): void;
};

type Waiting = { createdAt: number; urgency: Urgency; go: () => void };

const RANKS: readonly Urgency[] = ['urgent', 'asked', 'scheduled'];

/** Turns that may be saved up, as a part of a second: bursts stay small. */
const MAX_SAVED_SLOTS_S = 0.1;
/**
 * Of so many slots one goes to the youngest order and one to whoever was asked for by hand; the
 * others go to the order that waits longest. A larger part for the young would let the rest grow
 * old: with all in turn an order is asked every (open orders ÷ budget) seconds.
 *
 * Urgent orders go first, but for two slots: a flood of signals must not stop the schedule.
 */
const SLOTS_PER_ROUND = 16;

/** @param perSecond asked at every turn, since it changes when another relay comes or goes */
export function createQueryQueue(perSecond: () => number, clock: Clock): QueryQueue {
  const most = (): number => Math.max(1, perSecond() * MAX_SAVED_SLOTS_S);
  let saved = most();
  let savedAt = clock.elapsed();
  let pumping = false;
  let turns = 0;
  let queue: Waiting[] = [];

  const refill = (): void => {
    const now = clock.elapsed();
    saved = Math.min(most(), saved + ((now - savedAt) / 1000) * perSecond());
    savedAt = now;
  };

  const choose = (): Waiting | undefined => {
    const turn = turns++ % SLOTS_PER_ROUND;
    const urgent = queue.find(({ urgency }) => urgency === 'urgent');
    if (urgent && turn % 8 !== 4) return urgent;
    if (turn === 0)
      return queue.reduce((young, other) => (other.createdAt > young.createdAt ? other : young));
    return (
      (turn === SLOTS_PER_ROUND / 2
        ? queue.find(({ urgency }) => urgency === 'asked')
        : undefined) ?? queue[0]
    );
  };

  const pump = async (): Promise<void> => {
    if (pumping) return;
    pumping = true;
    while (queue.length > 0) {
      refill();
      if (saved >= 1) {
        saved--;
        const chosen = choose();
        queue = queue.filter((waiting) => waiting !== chosen);
        chosen?.go();
      } else await clock.sleep(Math.ceil(((1 - saved) / perSecond()) * 1000));
    }
    pumping = false;
  };

  return {
    querySlot: (createdAt, urgency) => {
      const waiting: Waiting = { createdAt, urgency, go: () => {} };
      const ready = new Promise<void>((resolve) => (waiting.go = resolve));
      queue.push(waiting);
      void pump();
      return {
        ready,
        urgency: () => waiting.urgency,
        raise: (other) => {
          if (RANKS.indexOf(other) < RANKS.indexOf(waiting.urgency)) waiting.urgency = other;
        },
      };
    },
    release: () => {
      saved++;
    },
    waiting: () => queue.length,
  };
}
