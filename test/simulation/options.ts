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
  keepGoing: boolean;
  orders: boolean;
  history: boolean;
  about: string | null;
  twice: boolean;
  shrink: boolean;
};

export const USAGE = `usage: npm run simulate -- [--seed N] [--seeds COUNT | --minutes M]
  --days D      how long a world lasts; by default 0.1
  --relays N    1 to 3 relays per shop; by default each seed chooses
  --orders      prints the orders of each seed
  --table       prints how often each invariant was tried under each fault, and writes it into
                README.md
  --keep-going  runs the other seeds too when one fails
  --twice       runs each seed twice, and compares the histories
  --history     prints the last lines of the history
  --about TEXT  prints the lines of the history that hold this text
  --keep a,b    keeps only these customers and faults of the plan
  --no-shrink   prints a failure without making it smaller
  --mutant NAME runs on a copy of the relay with a fault; --mutants: with each of them`;

const DEFAULT_DAYS = 0.1;
const MAX_FRESH_SEED = 1_000_000;

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
      table: flag,
      orders: flag,
      history: flag,
      twice: flag,
      'keep-going': flag,
      'no-shrink': flag,
    },
  });
  const number = (name: 'seed' | 'seeds' | 'minutes' | 'days' | 'relays'): number | null => {
    const given = values[name];
    if (given === undefined) return null;
    const value = Number(given);
    if (given.trim() === '' || !(value >= 0)) throw new Error(`--${name}: ${given}; a number`);
    return value;
  };
  const relays = number('relays');
  if (relays !== null && ![1, 2, 3].includes(relays)) throw new Error('--relays: 1, 2 or 3');
  const minutes = number('minutes');
  return {
    seed: number('seed') ?? freshSeed % MAX_FRESH_SEED,
    seeds: number('seeds') ?? (minutes === null ? 1 : Infinity),
    minutes: minutes ?? Infinity,
    size: { days: number('days') ?? DEFAULT_DAYS, relays },
    keep: values.keep === undefined ? null : new Set(values.keep.split(',')),
    mutant: values.mutant ?? null,
    mutants: values.mutants ?? false,
    table: values.table ?? false,
    keepGoing: values['keep-going'] ?? false,
    orders: values.orders ?? false,
    history: values.history ?? false,
    about: values.about ?? null,
    twice: values.twice ?? false,
    shrink: !(values['no-shrink'] ?? false),
  };
}
