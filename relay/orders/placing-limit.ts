/**
 * Limits how many new orders the ledger works on at once. Without a limit, a crowd of customers
 * shares a slow ledger so evenly that each claim is written too late to be used. The work is thrown
 * away, the customers try again, and the relay places almost nothing until they stop.
 */
import { SECOND_MS } from '../contract/durations.js';
import { Failure } from '../contract/failure.js';
import { LedgerBusyError, LedgerLostError } from '../ledger/ledger-errors.js';
import type { Clock } from '../runtime.js';

export type PlacingLimit = {
  /**
   * Runs the first work of an order.
   *
   * @throws Failure `ledger_unavailable` when the work may not begin within a second: an earlier
   *   request may have placed the order
   */
  begin<T>(work: () => Promise<T>): Promise<T>;
  /** Runs further work of an order that has begun: before all others, and it is never refused. */
  goOn<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the ledger refused further work in the last 30 s, and did none since. */
  isRefused(): boolean;
};

/**
 * As many as the relay has connections to PostgreSQL: more would wait there, among all
 * other requests.
 */
const AT_ONCE = 16;
/** Less than the time for which a page waits for its answer, so that it learns the reason. */
const MAX_WAIT_MS = 1000;
/** One refusal says little about the ledger when no customer pays after it. */
const REFUSED_FOR_MS = 30 * SECOND_MS;

type Enter = () => void;

export function createPlacingLimit(clock: Pick<Clock, 'after' | 'elapsed'>): PlacingLimit {
  let running = 0;
  let refusedAt = -Infinity;
  /** Those who wait, in the order in which they came. There are none while a place is free. */
  const beginning = new Set<Enter>();
  const goingOn = new Set<Enter>();

  const enterFirst = (): void => {
    const lane = goingOn.size > 0 ? goingOn : beginning;
    for (const enter of lane) {
      lane.delete(enter);
      running++;
      enter();
      return;
    }
  };

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      running--;
      enterFirst();
    }
  };

  const mayBegin = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const refuse = (): void => {
        beginning.delete(enter);
        reject(new Failure('ledger_unavailable', 'too many pays wait for the ledger'));
      };
      const cancel = clock.after(MAX_WAIT_MS, refuse);
      const enter = (): void => {
        cancel();
        resolve();
      };
      beginning.add(enter);
    });

  /** @returns false when no place is free */
  const enterNow = (): boolean => {
    if (running === AT_ONCE) return false;
    running++;
    return true;
  };

  return {
    begin: async (work) => {
      if (!enterNow()) await mayBegin();
      return run(work);
    },
    goOn: async (work) => {
      if (!enterNow()) await new Promise<void>((enter) => goingOn.add(enter));
      try {
        const done = await run(work);
        refusedAt = -Infinity;
        return done;
      } catch (error) {
        if (error instanceof LedgerBusyError || error instanceof LedgerLostError)
          refusedAt = clock.elapsed();
        throw error;
      }
    },
    isRefused: () => clock.elapsed() - refusedAt < REFUSED_FOR_MS,
  };
}
