/** A clock that stands still until a test moves it, so that no test waits in real time. */
import { setImmediate } from 'node:timers/promises';
import { completeClock, type Clock } from '../../../relay/runtime.js';

type Sleeper = { until: number; wake: () => void };

export type ManualClock = Clock & {
  /** Moves the clock forward, and ends each sleep at its moment, one after the other. */
  advance(ms: number): Promise<void>;
  /** The number of sleeps that have not ended. */
  sleeping(): number;
};

/** Lets all code run on that does not wait for a clock. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
};

/** @param start the wall clock's time, in milliseconds; elapsed time starts at 0 */
export function manualClock(start = 1_800_000_000_000): ManualClock {
  let elapsed = 0;
  let sleepers: Sleeper[] = [];
  const next = (end: number): Sleeper | undefined =>
    sleepers.filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
  const clock = completeClock({
    now: () => start + elapsed,
    elapsed: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper: Sleeper = {
          until: elapsed + ms,
          wake: () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', sleeper.wake, { once: true });
      }),
  });
  return {
    ...clock,
    advance: async (ms) => {
      const end = elapsed + ms;
      await settle();
      for (let due = next(end); due; due = next(end)) {
        elapsed = Math.max(elapsed, due.until);
        due.wake();
        await settle();
      }
      elapsed = end;
      await settle();
    },
    sleeping: () => sleepers.length,
  };
}
