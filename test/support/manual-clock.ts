/** A clock that stands until a test moves it, so that no test waits in real time. */
import { setImmediate } from 'node:timers/promises';
import { completeClock, type Clock } from '../../relay/runtime.js';

type Sleeper = { until: number; wake: () => void };

export type ManualClock = Clock & {
  /** Moves the clock, and wakes each sleeper at its moment, in turn. */
  advance(ms: number): Promise<void>;
  /** The number of sleeps that have not ended. */
  sleeping(): number;
};

/** Lets everything go on that waits for no clock. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
};

/** @param start the wall clock's time, in milliseconds; elapsed time starts at 0 */
export function manualClock(start = 1_800_000_000_000): ManualClock {
  let elapsed = 0;
  let sleepers: Sleeper[] = [];
  const next = (end: number): Sleeper | undefined =>
    sleepers.filter(({ until }) => until <= end).sort((one, other) => one.until - other.until)[0];
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
