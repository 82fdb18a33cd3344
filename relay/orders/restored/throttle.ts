/** Throttles work by key. */
import type { Clock } from '../../runtime.js';

/**
 * Runs `work` at most once in `pauseMs` for the same key; further calls share the result of the
 * first one. After a failure the next call runs it again.
 */
export function throttleByKey(
  work: (key: string) => Promise<unknown>,
  pauseMs: number,
  clock: Pick<Clock, 'elapsed'>,
): (key: string) => Promise<void> {
  /** The calls of the last `pauseMs`, by key, the oldest first. */
  const started = new Map<string, { at: number; result: Promise<unknown> }>();
  const forgetOld = (now: number): void => {
    for (const [key, { at }] of started) {
      if (now - at < pauseMs) return;
      started.delete(key);
    }
  };
  return async (key) => {
    const now = clock.elapsed();
    forgetOld(now);
    const known = started.get(key);
    const call = known ?? { at: now, result: work(key) };
    if (!known) started.set(key, call);
    try {
      await call.result;
    } catch (error) {
      if (started.get(key) === call) started.delete(key);
      throw error;
    }
  };
}
