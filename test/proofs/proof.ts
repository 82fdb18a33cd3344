/** The type of a proof and its result, and the helpers that the proofs share. */
import { randomFrom } from '../suite/support/random.js';

export type Sizes = Readonly<Record<string, number>>;

/** One measured value; `report.ts` formats it. */
export type Figure = {
  name: string;
  value: number;
  /** Decimal places; none by default. */
  digits?: number;
  unit?: string;
  /** The total that `value` is a part of. */
  of?: number;
  /** The limit that `value` must keep, in the same unit. */
  bound?: number | string;
};

/** Figures that belong together: one line of the report. */
export type Section = { name?: string; figures: readonly Figure[] };

export type Result = {
  held: boolean;
  sections: readonly Section[];
  /** The first failure in full, for whoever looks for its cause. */
  example?: string;
};

export type Proof = {
  /** The sizes of the full proof. */
  sizes: Sizes;
  /** The sizes in `npm run test:all` and for a mutant; absent when it takes too long there. */
  small?: Sizes;
  /** Why the proof cannot run on this machine; false or absent when it can. */
  missing?: string | false;
  run(sizes: Sizes): Promise<Result>;
};

/** A repeatable pseudo-random generator (mulberry32). */
export type Random = {
  next(): number;
  /** A whole number from 0 to `below` - 1. */
  integer(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
  text(length: number): string;
};

export function createRandom(seed: number): Random {
  const next = randomFrom(seed);
  const integer = (below: number): number => Math.floor(next() * below);
  return {
    next,
    integer,
    pick: <T>(from: readonly T[]): T => {
      const found = from[integer(from.length)];
      if (found === undefined && from.length === 0) throw new Error('nothing to pick from');
      return found as T;
    },
    chance: (probability) => next() < probability,
    text: (length) => Array.from({ length }, () => String.fromCharCode(33 + integer(90))).join(''),
  };
}

/** @returns a figure without a unit for each value */
export const counts = (values: Readonly<Record<string, number>>): Figure[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

export const percentage = (name: string, part: number, whole: number): Figure => ({
  name,
  value: (100 * part) / Math.max(1, whole),
  digits: 1,
  unit: '%',
});

/** @param part 0.95 for the 95th percentile */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/**
 * Runs `work` and keeps the process alive until it ends. The relay's timers are unreferenced, and a
 * proof in one process has no socket, so Node.js would exit in the middle.
 */
export async function keepAlive<T>(work: () => Promise<T>): Promise<T> {
  const alive = setInterval(() => {}, 1000);
  try {
    return await work();
  } finally {
    clearInterval(alive);
  }
}

/** Runs `work` for 0 to `count` - 1, with at most `atOnce` calls at a time. */
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

/** Counts unhandled rejections and uncaught exceptions. */
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
