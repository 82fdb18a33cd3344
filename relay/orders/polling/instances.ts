/** Divides the budget of queries between the relays that share a ledger, by their heartbeats. */
import type { Ledger } from '../../ledger/ledger.js';

/** Time between two heartbeats of a relay. */
export const HEARTBEAT_MS = 5000;
/** A relay without a heartbeat for this long no longer has a share. */
const GONE_AFTER_MS = 15_000;
/** A relay without a heartbeat for this long is deleted from the ledger. */
const FORGET_AFTER_MS = 300_000;
/** Bound of a new relay's queries per second, until the others have seen it and take less. */
const MAX_NEW_RELAY_PER_SECOND = 1;

export type Instances = {
  /** Writes this relay's heartbeat to the ledger, and reads the others', when it is due. */
  heartbeat(): Promise<void>;
  /** This relay's part of `budget`. */
  share(budget: number): number;
  /** The names of the relays that are alive, this one first. */
  names(): readonly string[];
  /** Whether the last heartbeat could not be written, so that no pay can be claimed either. */
  isReadOnly(): boolean;
};

type Heartbeat = { count: number; seenAt: number };

/**
 * A relay is alive while its count of heartbeats changes. The time of a change is measured in this
 * process's elapsed time: the clocks of other machines may be wrong, and wall clocks step.
 *
 * @param instance this relay's name; a relay that restarts under its old name is not a new one. The
 *   name gets a random part when another relay has the same one, as on machines with one host name:
 *   each of the two would use the whole budget.
 */
export function createInstances(
  ledger: Pick<Ledger, 'heartbeat' | 'forgetInstance'>,
  instance: string,
  elapsed: () => number,
): Instances {
  const heartbeats = new Map<string, Heartbeat>();
  let lastAt = -Infinity;
  /** Whether the others have had the time to see this relay. */
  let isKnown = false;
  let name = instance;
  let ownCount = Infinity;
  let alive = [name];
  let isReadOnly = false;

  const observe = (counts: ReadonlyMap<string, number>, now: number): void => {
    for (const [each, count] of counts)
      if (heartbeats.get(each)?.count !== count) heartbeats.set(each, { count, seenAt: now });
    for (const each of heartbeats.keys()) if (!counts.has(each)) heartbeats.delete(each);
  };
  const write = async (): Promise<ReadonlyMap<string, number>> => {
    try {
      const counts = await ledger.heartbeat(name);
      isReadOnly = false;
      return counts;
    } catch (error) {
      isReadOnly = true;
      // the ledger may have counted it although the answer was lost
      ownCount = Infinity;
      throw error;
    }
  };
  const forgetGone = async (now: number): Promise<void> => {
    for (const [each, { count, seenAt }] of heartbeats)
      if (now - seenAt > FORGET_AFTER_MS) await ledger.forgetInstance(each, count);
  };
  /** Another relay has counted under this relay's name since the last heartbeat. */
  const leaveSharedName = (counts: ReadonlyMap<string, number>): void => {
    const count = counts.get(name) ?? 0;
    const isShared = count > ownCount + 1;
    if (isShared) name = `${instance} ${crypto.randomUUID().slice(0, 8)}`;
    ownCount = isShared ? Infinity : count;
  };

  return {
    heartbeat: async () => {
      const now = elapsed();
      if (now - lastAt < HEARTBEAT_MS) return;
      const isFirst = lastAt === -Infinity;
      lastAt = now;
      const counts = await write();
      observe(counts, now);
      // a count above 1 at the first heartbeat: the others know this relay by its name
      const wasKnown = isFirst && (counts.get(name) ?? 1) > 1;
      leaveSharedName(counts);
      const seen = [...heartbeats].filter(([, { seenAt }]) => now - seenAt < GONE_AFTER_MS);
      const others = seen.map(([each]) => each).filter((each) => each !== name);
      alive = [name, ...others.sort()];
      isKnown = isKnown || !isFirst || others.length === 0 || wasKnown;
      await forgetGone(now);
    },
    names: () => alive,
    isReadOnly: () => isReadOnly,
    share: (budget) => {
      const part = budget / alive.length;
      return isKnown || alive.length === 1 ? part : Math.min(MAX_NEW_RELAY_PER_SECOND, part);
    },
  };
}
