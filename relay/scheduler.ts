/** The relay's background work: what is done at each tick, and how seldom the rest. */
import type { Clock, Log } from './runtime.js';

export type Work = () => Promise<void>;

export type Scheduler = {
  /** Starts what is not under way. Resolves when what it started has ended. */
  tick(): Promise<void>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
};

/** Each work runs once at a time, so slow work holds up neither itself nor other work. */
export function createScheduler(works: Readonly<Record<string, Work>>, log: Log): Scheduler {
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
      await Promise.all(Object.entries(works).map(([name, work]) => start(name, work)));
    },
    idle: async () => void (await Promise.all(running.values())),
  };
}

/** The same work, done at most once in so many milliseconds. */
export function every(ms: number, clock: Pick<Clock, 'elapsed'>, work: Work): Work {
  let doneAt = -Infinity;
  return async () => {
    if (clock.elapsed() - doneAt < ms) return;
    doneAt = clock.elapsed();
    await work();
  };
}
