/** The global budget of queries per second: whoever wants to ask waits for a turn; young orders go first, and all come in turn. */
import type { Clock } from './context.js';

export type QueryBudget = {
  /** Whether a turn is to be had at once. */
  free(): boolean;
  /** Resolves when it is this order's turn. `urgent` goes before all others: a lost answer, a doorbell. */
  turn(createdAt: number, urgent: boolean): Promise<void>;
};

type Waiting = { createdAt: number; urgent: boolean; go: () => void };

/** Turns that may be saved up, as a part of a second: bursts stay small. */
const SAVED_S = 0.1;

export function createQueryBudget(perSecond: number, clock: Clock): QueryBudget {
  const most = Math.max(1, perSecond * SAVED_S);
  let saved = most;
  let savedAt = clock.now();
  let pumping = false;
  let turns = 0;
  let queue: Waiting[] = [];

  const refill = (): void => {
    const now = clock.now();
    saved = Math.min(most, saved + ((now - savedAt) / 1000) * perSecond);
    savedAt = now;
  };

  /** Urgent first; then by turns the youngest, and the one that waits longest, so that nobody starves. */
  const next = (): Waiting | undefined => {
    const chosen =
      queue.find(({ urgent }) => urgent) ??
      (turns++ % 2 === 0 ? queue.reduce((young, other) => (other.createdAt > young.createdAt ? other : young)) : queue[0]);
    queue = queue.filter((waiting) => waiting !== chosen);
    return chosen;
  };

  const pump = async (): Promise<void> => {
    if (pumping) return;
    pumping = true;
    while (queue.length > 0) {
      refill();
      if (saved >= 1) {
        saved--;
        next()?.go();
      } else await clock.sleep(Math.ceil(((1 - saved) / perSecond) * 1000));
    }
    pumping = false;
  };

  return {
    free: () => {
      refill();
      return queue.length === 0 && saved >= 1;
    },
    turn: (createdAt, urgent) =>
      new Promise((resolve) => {
        queue.push({ createdAt, urgent, go: resolve });
        void pump();
      }),
  };
}
