/** Relays that share a ledger share the budget of queries: each takes its part of it. */
import type { Ledger } from '../../ledger/ledger.js';

/** Between two heartbeats, and after how many milliseconds without one a relay counts as gone. */
const HEARTBEAT_MS = 5000;
const GONE_AFTER_MS = 15_000;
/** A relay that is gone for so long is forgotten. */
const FORGET_AFTER_MS = 300_000;
/** What a newcomer takes until the others have seen it, per second. */
const NEWCOMER_SHARE = 1;

export type Instances = {
  /** Counts one heartbeat in the ledger when it is time. */
  heartbeat(): Promise<void>;
  /** This relay's part of `budget`. */
  share(budget: number): number;
};

type Seen = { beat: number; at: number };

/**
 * A relay lives when its count moves. The count is compared with what was seen before, by elapsed
 * time: no clock of another machine is believed, and none that steps.
 *
 * @param instance this relay's name; one that comes back under its old name is no newcomer
 */
export function createInstances(
  ledger: Pick<Ledger, 'heartbeat' | 'forgetInstance'>,
  instance: string,
  elapsed: () => number,
): Instances {
  const seen = new Map<string, Seen>();
  let beatAt = -Infinity;
  let known = false;
  let alive = 1;

  const observe = (beats: ReadonlyMap<string, number>, now: number): void => {
    for (const [name, beat] of beats)
      if (seen.get(name)?.beat !== beat) seen.set(name, { beat, at: now });
    for (const name of seen.keys()) if (!beats.has(name)) seen.delete(name);
  };
  const forgetTheGone = async (now: number): Promise<void> => {
    for (const [name, { at, beat }] of seen)
      if (now - at > FORGET_AFTER_MS) await ledger.forgetInstance(name, beat);
  };

  return {
    heartbeat: async () => {
      const now = elapsed();
      if (now - beatAt < HEARTBEAT_MS) return;
      const isFirst = beatAt === -Infinity;
      beatAt = now;
      const beats = await ledger.heartbeat(instance);
      observe(beats, now);
      // a count above 1 at the first heartbeat: the others know this relay by its name
      const wasKnown = isFirst && (beats.get(instance) ?? 1) > 1;
      alive = [...seen.values()].filter(({ at }) => now - at < GONE_AFTER_MS).length;
      known = known || !isFirst || alive === 1 || wasKnown;
      await forgetTheGone(now);
    },
    share: (budget) => {
      const part = budget / Math.max(1, alive);
      return known || alive === 1 ? part : Math.min(NEWCOMER_SHARE, part);
    },
  };
}
