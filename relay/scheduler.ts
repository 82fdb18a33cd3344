/** Runs background work at each tick, or at most once in an interval. */
import type { Clock, Log } from './runtime.js';

export type Work = () => Promise<void>;

export type Scheduler = {
  /** Starts each task that is not under way. Resolves when all tasks have ended. */
  tick(): Promise<void>;
  /** Resolves when all tasks under way have ended. */
  idle(): Promise<void>;
};

/** The tasks run at the same time, but none runs twice at once. */
export function createScheduler(tasks: Readonly<Record<string, Work>>, log: Log): Scheduler {
  const running = new Map<string, Promise<void>>();
  const start = (name: string, work: Work): Promise<void> => {
    const known = running.get(name);
    if (known) return known;
    const run = work()
      .catch((error: unknown) => log('error', 'tick', { work: name, error: String(error) }))
      .finally(() => running.delete(name));
    running.set(name, run);
    return run;
  };
  return {
    tick: async () => {
      await Promise.all(Object.entries(tasks).map(([name, work]) => start(name, work)));
    },
    idle: async () => void (await Promise.all(running.values())),
  };
}

/**
 * Wraps work so that its runs never overlap. A call during a run causes one more run after it,
 * unless the run throws: then the caller's next call runs it.
 */
export function oneAtATime(work: Work): Work {
  let running: Promise<void> | null = null;
  let isRequested = false;
  const run = async (): Promise<void> => {
    try {
      do {
        isRequested = false;
        await work();
      } while (isRequested);
    } finally {
      // reset here, not after a caller's `await`: a call between the two would be lost
      running = null;
    }
  };
  return () => {
    isRequested = true;
    running ??= run();
    return running;
  };
}

/** Wraps work so that it starts at most once in `intervalMs`. */
export function every(intervalMs: number, clock: Pick<Clock, 'elapsed'>, work: Work): Work {
  let startedAt = -Infinity;
  return async () => {
    if (clock.elapsed() - startedAt < intervalMs) return;
    startedAt = clock.elapsed();
    await work();
  };
}
