/** Relays that share a ledger share the budget of queries: each takes its part of it (design §7). */
import type { Ledger } from '../ledger/ledger.js';

/** Milliseconds between two signs of life, and after how many a relay counts as gone. */
const BEAT_EVERY = 5000;
const GONE_AFTER = 15_000;
/** What a newcomer takes until the others have heard of it, per second. */
const NEWCOMER = 1;

export type Instances = {
  /** Gives a sign of life when it is time. */
  beat(): Promise<void>;
  /** This relay's part of `budget`. */
  share(budget: number): number;
};

/** @param instance this relay's name; one that comes back under its old name is no newcomer */
export function createInstances(ledger: Ledger, instance: string, now: () => number): Instances {
  let beatAt = -Infinity;
  let known = false;
  let alive = 1;
  return {
    beat: async () => {
      if (now() - beatAt < BEAT_EVERY) return;
      const first = beatAt === -Infinity;
      beatAt = now();
      alive = Math.max(1, await ledger.beat(instance, now(), now() - GONE_AFTER));
      known = !first || alive === 1;
    },
    share: (budget) => (known || alive === 1 ? budget / alive : Math.min(NEWCOMER, budget / alive)),
  };
}
