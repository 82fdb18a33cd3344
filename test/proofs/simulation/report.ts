/** What a failure prints: the seed, the smallest world that still fails, and its last lines. */
import { partsOf } from './plan.js';
import { sizeOf, type Options } from './options.js';
import type { Outcome } from './run.js';
import { MAX_MS, MAX_RUNS, type Shrunk } from './shrink.js';
import { clockText } from './history.js';

const LAST_LINES = 40;

export function failureLines(seed: number, { violation, tail }: Outcome): string[] {
  if (!violation) return [];
  const { at, invariant, text } = violation;
  return [
    ...tail.slice(-LAST_LINES).map((line) => `  ${line}`),
    `seed ${seed}: ${invariant}: ${text} (at ${clockText(at)})`,
  ];
}

const STOPPED = {
  time: `stopped after ${MAX_MS / 1000} s: a smaller world may fail too`,
  runs: `stopped after ${MAX_RUNS} runs: a smaller world may fail too`,
};

/** The smaller world, and the command that runs it again. */
export function shrunkLines(
  options: Pick<Options, 'longWorlds' | 'size' | 'worldsFor'>,
  { outcome, plan, runs, stoppedAt }: Shrunk,
): string[] {
  const { customers, faults, relays, seed } = plan;
  const days = `--days ${sizeOf(options, seed).days}`;
  const needs = options.worldsFor === null ? '' : ` --worlds-for ${options.worldsFor}`;
  const keep = `--keep ${partsOf(plan).join(',')}`;
  return [
    `made smaller in ${runs} runs: ${customers.length} customers, ${faults.length} faults ` +
      `(${faults.map(({ kind }) => kind).join(', ') || 'none'}), ${relays} relays`,
    ...(stoppedAt === null ? [] : [STOPPED[stoppedAt]]),
    ...failureLines(seed, outcome),
    `again: npm run simulate -- --seed ${seed}${needs} ${days} --relays ${relays} ${keep}`,
  ];
}
