/** A budget per second. What is not used is saved for a tenth of a second, so bursts stay small. */

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
