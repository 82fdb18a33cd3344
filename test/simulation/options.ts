/** The options of `npm run simulate`. */
import { parseArgs } from 'node:util';
import type { Size } from './plan.js';

export type Options = {
  /** The first seed; the next ones count up. */
  seed: number;
  /** How many seeds; Infinity: for as long as `minutes` says. */
  seeds: number;
  minutes: number;
  size: Omit<Size, 'seed'>;
  /** The parts of the plan to keep; null: all. */
  keep: ReadonlySet<string> | null;
  mutant: string | null;
  mutants: boolean;
  table: boolean;
  /** Whether the table is written into README.md. */
  record: boolean;
  /** How many processes run the seeds. */
  workers: number;
  keepGoing: boolean;
  orders: boolean;
  history: boolean;
  about: string | null;
  twice: boolean;
  shrink: boolean;
};

export const USAGE = `usage: npm run simulate -- [--seed N] [--seeds COUNT | --minutes M]
                           --seeds FROM-TO
  --days D      how long a world lasts; by default 0.1
  --relays N    1 to 3 relays per shop; by default each seed chooses
  --orders      prints the orders of each seed
  --workers N   runs the seeds in N processes
  --table       prints how often each invariant was tried under each fault
  --record      does so and writes it into README.md; fails when one was never tried
  --keep-going  runs the other seeds too when one fails, as FROM-TO always does
  --twice       runs each seed twice, and compares the histories
  --history     prints the last lines of the history
  --about TEXT  prints the lines of the history that hold this text
  --keep a,b    keeps only these customers and faults of the plan
  --no-shrink   prints a failure without making it smaller
  --mutant NAME runs on a copy of the relay with a fault; --mutants: with each of them`;

const DEFAULT_DAYS = 0.1;
const MAX_FRESH_SEED = 1_000_000;

/** Reads `FROM-TO`; null when it is something else, such as a count. */
function readRange(seeds: string | undefined): { from: number; count: number } | null {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(seeds ?? '') ?? [];
  if (from === undefined || to === undefined) return null;
  const count = Number(to) - Number(from) + 1;
  if (count < 1) throw new Error(`--seeds: ${seeds}; the first seed comes first`);
  return { from: Number(from), count };
}

/** @throws Error that names the wrong option */
export function readOptions(args: readonly string[], freshSeed: number): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: text,
      seeds: text,
      minutes: text,
      days: text,
      relays: text,
      keep: text,
      about: text,
      mutant: text,
      mutants: flag,
      workers: text,
      table: flag,
      record: flag,
      orders: flag,
      history: flag,
      twice: flag,
      'keep-going': flag,
      'no-shrink': flag,
    },
  });
  const range = readRange(values.seeds);
  const number = (
    name: 'seed' | 'seeds' | 'minutes' | 'days' | 'relays' | 'workers',
  ): number | null => {
    const given = values[name];
    if (given === undefined) return null;
    const value = Number(given);
    if (given.trim() === '' || !(value >= 0)) throw new Error(`--${name}: ${given}; a number`);
    return value;
  };
  const relays = number('relays');
  if (relays !== null && ![1, 2, 3].includes(relays)) throw new Error('--relays: 1, 2 or 3');
  const minutes = number('minutes');
  const workers = number('workers') ?? 1;
  if (!Number.isInteger(workers) || workers < 1) throw new Error('--workers: 1 or more');
  const alone = ['keep', 'about', 'history', 'twice'] as const;
  const wrong = alone.find((name) => values[name] !== undefined);
  if (workers > 1 && wrong) throw new Error(`--${wrong} works with one process alone`);
  return {
    seed: range?.from ?? number('seed') ?? freshSeed % MAX_FRESH_SEED,
    seeds: range?.count ?? number('seeds') ?? (minutes === null ? 1 : Infinity),
    workers,
    record: values.record ?? false,
    minutes: minutes ?? Infinity,
    size: { days: number('days') ?? DEFAULT_DAYS, relays },
    keep: values.keep === undefined ? null : new Set(values.keep.split(',')),
    mutant: values.mutant ?? null,
    mutants: values.mutants ?? false,
    table: values.table ?? false,
    keepGoing: values['keep-going'] ?? range !== null,
    orders: values.orders ?? false,
    history: values.history ?? false,
    about: values.about ?? null,
    twice: values.twice ?? false,
    shrink: !(values['no-shrink'] ?? false),
  };
}
