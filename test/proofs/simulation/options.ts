/** The options of `npm run simulate`. */
import { parseArgs } from 'node:util';
import type { RelayMutant } from './mutants/relay-mutant.js';
import { relayMutants } from './mutants/relay-mutants.js';
import type { Size } from './plan.js';

export type Options = {
  /** The first seed; the next ones count up. */
  seed: number;
  /** How many seeds run. Infinity: seeds run until `minutes` are over. */
  seeds: number;
  minutes: number;
  size: Omit<Size, 'seed'>;
  /** Whether some worlds last a day. */
  longWorlds: boolean;
  /** The parts of the plan to keep; null: all. */
  keep: ReadonlySet<string> | null;
  mutant: string | null;
  /** The mutant whose needs the worlds have. */
  worldsFor: string | null;
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

/** An option that is wrong: the message says what was expected. */
export class WrongOption extends Error {
  override readonly name = 'WrongOption';
}

export const USAGE = `usage: npm run simulate -- [--seed N] [--seeds COUNT] [--minutes M]
   or: npm run simulate -- --seeds FROM-TO [--minutes M]
  --days D      how long a world lasts; by default 0.1, and 0.03 with a mutant
  --relays N    1 to 3 relays per shop; by default each seed chooses
  --orders      prints how many orders each seed had, and a digest of its history
  --workers N   runs the seeds in N processes
  --table       prints how often each invariant was tried under each fault
  --record      prints that table and writes it into README.md; fails when an invariant was
                never tried under a fault
  --keep-going  runs the other seeds too when one fails; with FROM-TO this is the default
  --nightly     runs fresh seeds for an hour, prints each, and the table at the end; one world
                in twenty lasts a day
  --twice       runs each seed twice, and compares the histories
  --history     prints the last lines of the history
  --about TEXT  prints the lines of the history that hold this text
  --keep a,b    keeps only these customers and faults of the plan
  --no-shrink   prints a failure without making it smaller
  --mutant NAME runs a copy of the relay with this deliberate bug, which must be caught
  --mutants     does this with every mutant; with --workers N, with N mutants at a time
  --worlds-for NAME  runs the relay as it is in worlds that have what this mutant needs`;

const DEFAULT_DAYS = 0.1;
/** Small worlds: a world ends at its first violation, and the relay with a bug soon has one. */
const DEFAULT_MUTANT_DAYS = 0.03;
const NIGHTLY_MINUTES = 60;
/** What gathers for a day shows only in a long world, and such a world takes minutes. */
const ONE_LONG_WORLD_IN = 20;
const LONG_DAYS = 1;
const MAX_FRESH_SEED = 1_000_000;

/** Reads `FROM-TO`; null when it is something else, such as a count. */
function readRange(seeds: string | undefined): { from: number; count: number } | null {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(seeds ?? '') ?? [];
  if (from === undefined || to === undefined) return null;
  const count = Number(to) - Number(from) + 1;
  if (count < 1) throw new WrongOption(`--seeds ${seeds}: FROM must not be greater than TO`);
  return { from: Number(from), count };
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  seed: text,
  seeds: text,
  minutes: text,
  days: text,
  relays: text,
  keep: text,
  about: text,
  mutant: text,
  mutants: flag,
  'worlds-for': text,
  workers: text,
  nightly: flag,
  table: flag,
  record: flag,
  orders: flag,
  history: flag,
  twice: flag,
  'keep-going': flag,
  'no-shrink': flag,
} as const;

/** The numbers among the options, with what each accepts. */
const NUMBERS = {
  seed: { accepts: (value: number) => isWhole(value), expected: 'a whole number of at least 0' },
  seeds: {
    accepts: (value: number) => isWhole(value) && value > 0,
    expected: 'FROM-TO, or a whole number of at least 1',
  },
  minutes: { accepts: (value: number) => value > 0, expected: 'a number above 0' },
  days: { accepts: (value: number) => value > 0, expected: 'a number above 0' },
  relays: { accepts: (value: number) => [1, 2, 3].includes(value), expected: '1, 2 or 3' },
  workers: {
    accepts: (value: number) => isWhole(value) && value > 0,
    expected: 'a whole number of at least 1',
  },
} as const;
const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new WrongOption(error instanceof Error ? error.message : String(error));
  }
}

/** @throws WrongOption when there is no such mutant */
export function mutantNamed(name: string, option: 'mutant' | 'worlds-for'): RelayMutant {
  const mutant = Object.hasOwn(relayMutants, name) ? relayMutants[name] : undefined;
  if (mutant) return mutant;
  throw new WrongOption(`--${option}: expected one of ${Object.keys(relayMutants).join(', ')}`);
}

/** @throws WrongOption that names the wrong option */
export function readOptions(args: readonly string[], freshSeed: number): Options {
  const values = parse(args);
  const range = readRange(values.seeds);
  const isRange = range !== null;
  const readNumber = (name: keyof typeof NUMBERS): number | null => {
    const given = values[name];
    if (given === undefined || (name === 'seeds' && isRange)) return null;
    const { accepts, expected } = NUMBERS[name];
    const value = given.trim() === '' ? NaN : Number(given);
    if (!Number.isFinite(value) || !accepts(value))
      throw new WrongOption(`--${name}: expected ${expected}, not "${given}"`);
    return value;
  };
  const nightly = values.nightly ?? false;
  const minutes = readNumber('minutes') ?? (nightly ? NIGHTLY_MINUTES : null);
  const workers = readNumber('workers') ?? 1;
  // workers get only the seed and the size, so these options would have no effect
  const onlyWithoutWorkers = ['keep', 'about', 'history', 'twice'] as const;
  const ignored = onlyWithoutWorkers.find((name) => values[name] !== undefined);
  if (workers > 1 && ignored)
    throw new WrongOption(`--${ignored} cannot be used with --workers above 1`);
  const worldsFor = values['worlds-for'] ?? null;
  const needs = worldsFor === null ? undefined : mutantNamed(worldsFor, 'worlds-for').needs;
  const hasMutant = values.mutant !== undefined || values.mutants === true;
  if (isRange && values.seed !== undefined)
    throw new WrongOption('--seed cannot be used with --seeds FROM-TO');
  return {
    seed: range?.from ?? readNumber('seed') ?? freshSeed % MAX_FRESH_SEED,
    seeds: range?.count ?? readNumber('seeds') ?? (minutes === null ? 1 : Infinity),
    workers,
    record: values.record ?? false,
    minutes: minutes ?? Infinity,
    size: {
      days: readNumber('days') ?? (hasMutant ? DEFAULT_MUTANT_DAYS : DEFAULT_DAYS),
      relays: readNumber('relays'),
      ...(needs && { needs }),
    },
    longWorlds: nightly && values.days === undefined,
    keep: values.keep === undefined ? null : new Set(values.keep.split(',')),
    mutant: values.mutant ?? null,
    mutants: values.mutants ?? false,
    worldsFor,
    table: (values.table ?? false) || nightly,
    keepGoing: values['keep-going'] ?? (isRange || nightly),
    orders: (values.orders ?? false) || nightly,
    history: values.history ?? false,
    about: values.about ?? null,
    twice: values.twice ?? false,
    shrink: !(values['no-shrink'] ?? false),
  };
}

/** The size of the world of a seed. */
export const sizeOf = (
  { longWorlds, size }: Pick<Options, 'longWorlds' | 'size'>,
  seed: number,
): Size => ({
  seed,
  ...size,
  ...(longWorlds && seed % ONE_LONG_WORLD_IN === 0 && { days: LONG_DAYS }),
});

/** @throws WrongOption when `--keep` names something that the plan does not have */
export function checkKept(kept: ReadonlySet<string>, parts: readonly string[]): void {
  const unknown = [...kept].filter((name) => !parts.includes(name));
  if (unknown.length > 0)
    throw new WrongOption(`--keep: the plan has no part with the name ${unknown.join(', ')}`);
}
