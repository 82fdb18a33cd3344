/** The budget of queries per second: whoever wants to ask waits for a turn, and all come in turn. */
import type { Clock } from './context.js';

/** urgent: a lost answer, a doorbell. asked: somebody pressed "check now". scheduled: it is time. */
export type Urgency = 'urgent' | 'asked' | 'scheduled';

export type QueryBudget = {
  /** `come` resolves when it is this order's turn; whoever asks for it meanwhile may make it more urgent. */
  turn(createdAt: number, urgency: Urgency): Turn;
  /** Gives a turn back that was not used. */
  giveBack(): void;
  waiting(): number;
};

export type Turn = {
  readonly come: Promise<void>;
  urgency(): Urgency;
  raise(urgency: Urgency): void;
};

type Waiting = { createdAt: number; urgency: Urgency; go: () => void };

const RANKS: readonly Urgency[] = ['urgent', 'asked', 'scheduled'];

/** Turns that may be saved up, as a part of a second: bursts stay small. */
const SAVED_S = 0.1;
/**
 * Of so many turns one goes to the youngest and one to whoever was asked for; the others to the one that waits longest.
 *
 * A larger part for the young would let the rest grow old: with all in turn an order is asked every (open orders ÷ budget) seconds.
 */
const ROUND = 16;

/** @param perSecond asked at every turn, since it changes when another relay comes or goes */
export function createQueryBudget(perSecond: () => number, clock: Clock): QueryBudget {
  const most = (): number => Math.max(1, perSecond() * SAVED_S);
  let saved = most();
  let savedAt = clock.now();
  let pumping = false;
  let turns = 0;
  let queue: Waiting[] = [];

  const refill = (): void => {
    const now = clock.now();
    saved = Math.min(most(), saved + ((now - savedAt) / 1000) * perSecond());
    savedAt = now;
  };

  const choose = (): Waiting | undefined => {
    const urgent = queue.find(({ urgency }) => urgency === 'urgent');
    if (urgent) return urgent;
    const turn = turns++ % ROUND;
    if (turn === 0)
      return queue.reduce((young, other) => (other.createdAt > young.createdAt ? other : young));
    return (
      (turn === ROUND / 2 ? queue.find(({ urgency }) => urgency === 'asked') : undefined) ??
      queue[0]
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
    turn: (createdAt, urgency) => {
      const waiting: Waiting = { createdAt, urgency, go: () => {} };
      const come = new Promise<void>((resolve) => (waiting.go = resolve));
      queue.push(waiting);
      void pump();
      return {
        come,
        urgency: () => waiting.urgency,
        raise: (other) => {
          if (RANKS.indexOf(other) < RANKS.indexOf(waiting.urgency)) waiting.urgency = other;
        },
      };
    },
    giveBack: () => {
      saved++;
    },
    waiting: () => queue.length,
  };
}
