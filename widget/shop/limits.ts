/** Bounds of a store's transactions, so that events leave connections for the rest of the shop. */

export type StoreLimits = {
  /** Transactions at once; by default 3. More than this many events wait for their turn. */
  transactions?: number | undefined;
  /**
   * Seconds after which a handler is given up and its transaction is rolled back; also the longest
   * wait for a turn. By default 10: the relay waits no longer for an answer.
   */
  time_limit_s?: number | undefined;
};

/** The handler did not end in time, or the event did not get its turn. */
class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

export type Limits = {
  /** Runs `work` when fewer than the limit run. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** Rejects with TimeLimitError when `work` takes too long; `work` itself goes on. */
  inTime<T>(work: Promise<T>): Promise<T>;
  timeLimitMs: number;
};

const TURN = 'other handlers have not ended, so the event did not get its turn';
const HANDLER = 'the handler did not end in time: give each call that it makes a time limit';

/** @throws TypeError when a limit is not a positive number */
export function createLimits({ time_limit_s = 10, transactions = 3 }: StoreLimits = {}): Limits {
  if (!(time_limit_s > 0 && transactions >= 1))
    throw new TypeError('transactions and time_limit_s must be positive numbers');
  let running = 0;
  const waiting = new Set<() => void>();

  async function within<T>(work: Promise<T>, message: string): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TimeLimitError(message)), time_limit_s * 1000);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  async function waitForTurn(): Promise<void> {
    let begin = (): void => {};
    const turn = new Promise<void>((resolve) => (begin = resolve));
    waiting.add(begin);
    // a turn that comes after the limit must not be taken
    await within(turn, TURN).finally(() => waiting.delete(begin));
  }

  return {
    inTurn: async (work) => {
      if (running >= transactions) await waitForTurn();
      else running++;
      try {
        return await work();
      } finally {
        const [next] = waiting;
        if (next) {
          waiting.delete(next);
          next();
        } else running--;
      }
    },
    inTime: (work) => within(work, HANDLER),
    timeLimitMs: time_limit_s * 1000,
  };
}
