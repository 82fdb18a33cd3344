/** What a proof is: sizes with their defaults, a run that prints figures, and whether they hold. */
export type Sizes = Readonly<Record<string, number>>;
export type Result = { held: boolean; figures: string };

export type Proof = {
  /** Of the whole proof. */
  sizes: Sizes;
  /** Of the run in `npm test`, and of a mutant's; absent: too long for it. */
  small?: Sizes;
  run(sizes: Sizes): Promise<Result>;
};

/** A repeatable source of chance (mulberry32). */
export type Chance = {
  next(): number;
  whole(below: number): number;
  pick<T>(from: readonly T[]): T;
  is(part: number): boolean;
  text(length: number): string;
};

export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number): number => Math.floor(next() * below);
  return {
    next,
    whole,
    pick: <T>(from: readonly T[]): T => {
      const found = from[whole(from.length)];
      if (found === undefined && from.length === 0) throw new Error('nothing to pick from');
      return found as T;
    },
    is: (part) => next() < part,
    text: (length) => Array.from({ length }, () => String.fromCharCode(33 + whole(90))).join(''),
  };
}

export const percent = (part: number, whole: number): string =>
  `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

/** @param part 0.95 for the 95th percentile */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Deadlines do not keep a process alive, and a proof in one process has no socket that would. */
export async function kept<T>(work: () => Promise<T>): Promise<T> {
  const alive = setInterval(() => {}, 1000);
  try {
    return await work();
  } finally {
    clearInterval(alive);
  }
}

/** Runs `work` for 0 to `count` - 1, so many at once. */
export async function each(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(atOnce, count) }, async () => {
      while (next < count) await work(next++);
    }),
  );
}

/** Counts what no test may leave behind. */
export function watchRejections(): { count(): number; stop(): void } {
  let count = 0;
  const seen = (): void => void count++;
  process.on('unhandledRejection', seen);
  process.on('uncaughtException', seen);
  return {
    count: () => count,
    stop: () => {
      process.off('unhandledRejection', seen);
      process.off('uncaughtException', seen);
    },
  };
}
