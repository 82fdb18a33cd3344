/**
 * Keeps a part of the process's time free for pays and webhook signals: while the process is busy,
 * it sends fewer scheduled queries. Otherwise a budget above what the machine can do would let
 * customers wait until they give up, and those who try again would keep the machine full.
 */

/** A process that works for more of its time than this sends fewer scheduled queries. */
const BUSY = 0.6;
const PERIOD_MS = 100;
/** Factor of the rate after each period in which the process was busy. */
const DECREASE = 0.8;
/** Part of the budget that is added after each other period. */
const INCREASE = 0.02;
/** So many queries a second cost little, so that a small budget is never reduced. */
const NEVER_BELOW_PER_SECOND = 20;

export type HeadroomDeps = {
  /** The budget of queries per second. */
  perSecond: () => number;
  /** Which part of its time the process has worked since the last call, from 0 to 1. */
  busy: () => number;
  /** In milliseconds; it never goes back. */
  elapsed: () => number;
};

/** @returns how many scheduled queries may be sent in a second */
export function createHeadroom({ busy, elapsed, perSecond }: HeadroomDeps): () => number {
  let part = 1;
  let measuredAt = elapsed();
  return () => {
    const now = elapsed();
    if (now - measuredAt >= PERIOD_MS) {
      measuredAt = now;
      part = busy() > BUSY ? part * DECREASE : Math.min(1, part + INCREASE);
    }
    const budget = perSecond();
    // a part that fell further would need long to rise again
    part = Math.max(part, Math.min(1, NEVER_BELOW_PER_SECOND / budget));
    return part * budget;
  };
}
