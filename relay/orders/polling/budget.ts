/**
 * How many queries a second this relay may send. Scheduled queries leave a part of the process's
 * time free for pays and webhook signals: with a budget above what the machine can do, customers
 * would wait until they give up, and those who try again would keep the machine full.
 */

const MAX_SAVED_S = 0.1;

export type TokenBucket = {
  /** Milliseconds until a token is there; 0 when there is one now. */
  untilNextMs(): number;
  take(): void;
  giveBack(): void;
};

/**
 * @param perSecond read at each call: it may change
 * @param elapsed in milliseconds; it never goes back
 */
export function createTokenBucket(perSecond: () => number, elapsed: () => number): TokenBucket {
  const maxSaved = (): number => Math.max(1, perSecond() * MAX_SAVED_S);
  let saved = maxSaved();
  let savedAt = elapsed();
  return {
    untilNextMs: () => {
      const now = elapsed();
      saved = Math.min(maxSaved(), saved + ((now - savedAt) / 1000) * perSecond());
      savedAt = now;
      return Math.max(0, Math.ceil(((1 - saved) / perSecond()) * 1000));
    },
    take: () => {
      saved = Math.max(0, saved - 1);
    },
    giveBack: () => {
      saved++;
    },
  };
}

/**
 * A process should not work for more of its time than this. 5,000 pages that wait, with 200
 * queries a second, need about 70 % on a slow machine; pays that come at once need the rest.
 */
const BUSY = 0.85;
/** In a shorter period, one burst of work would count as a busy process. */
const PERIOD_MS = 1000;
/** After a period the rate is at most this many times as high. */
const MAX_FACTOR = 1.25;
/** So many queries a second cost little, so that a small budget is never reduced. */
const NEVER_BELOW_PER_SECOND = 20;

type HeadroomDeps = {
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
      part = Math.min(1, part * Math.min(MAX_FACTOR, BUSY / busy()));
    }
    const budget = perSecond();
    // a part that fell further would need long to rise again
    part = Math.max(part, Math.min(1, NEVER_BELOW_PER_SECOND / budget));
    return part * budget;
  };
}
