/**
 * Counts uses of keys in this process's memory. Periods are in elapsed time: when the wall clock
 * steps, nobody gets a new allowance or loses one.
 */

/** One key takes about 200 bytes, so a counter holds at most 20 MB. */
const MAX_KEYS = 100_000;

type Uses = { count: number; readonly endsAt: number };

type UseCounter = {
  /** The uses in the present period of a key. */
  count(key: string): number;
  /** Adds one use and returns the count. The first use of a key begins its period. */
  add(key: string): number;
};

/**
 * @param elapsed milliseconds since an unspecified moment
 * @param maxKeys above this number of keys, those whose periods end first are forgotten
 */
export function createUseCounter(
  periodMs: number,
  elapsed: () => number,
  maxKeys = MAX_KEYS,
): UseCounter {
  // in the order in which the periods began, and therefore end
  const periods = new Map<string, Uses>();

  const forgetEnded = (): void => {
    const now = elapsed();
    for (const [key, { endsAt }] of periods) {
      if (endsAt > now && periods.size <= maxKeys) return;
      periods.delete(key);
    }
  };

  const count = (key: string): number => {
    forgetEnded();
    return periods.get(key)?.count ?? 0;
  };

  return {
    count,
    add: (key) => {
      forgetEnded();
      const uses = periods.get(key) ?? { count: 0, endsAt: elapsed() + periodMs };
      uses.count++;
      periods.set(key, uses);
      return uses.count;
    },
  };
}
