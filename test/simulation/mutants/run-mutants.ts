/** Runs the simulation on copies of the relay that each have one deliberate bug. */
import { spawnSync } from 'node:child_process';
import { mutate } from '../../proofs/mutate.js';
import { WrongOption, type Options } from '../options.js';
import type { InvariantName } from '../checker/invariant.js';
import { relayMutants } from './relay-mutants.js';

/** How many worlds run with a mutant before the mutant counts as not caught. */
const SEEDS = 60;

/** @returns whether the simulation caught the mutant */
export function simulateMutant(name: string, { seed, size }: Options): boolean {
  const mutant = Object.hasOwn(relayMutants, name) ? relayMutants[name] : undefined;
  if (!mutant)
    throw new WrongOption(`--mutant: expected one of ${Object.keys(relayMutants).join(', ')}`);
  const copy = mutate(mutant);
  try {
    const args = ['--seed', `${seed}`, '--seeds', `${SEEDS}`, '--days', `${size.days}`];
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'test/simulation/simulate.ts', ...args, '--no-shrink'],
      { cwd: copy.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const verdict = stdout.trim().split('\n').at(-1) ?? '';
    const caught = status === 1 && isCaughtBy(mutant.caughtBy, verdict);
    const expected = caught ? 'caught' : `NOT CAUGHT by "${mutant.caughtBy}"`;
    console.log(`mutant ${name}: ${expected}: ${verdict}`);
    return caught;
  } finally {
    copy.remove();
  }
}

/** Whether the last line of a run names a violation of this invariant, and of no other. */
export const isCaughtBy = (invariant: InvariantName, verdict: string): boolean =>
  new RegExp(`^seed \\d+: ${invariant}: `).test(verdict);

/** @returns whether the simulation caught every mutant */
export const simulateMutants = (options: Options): boolean =>
  Object.keys(relayMutants)
    .map((name) => simulateMutant(name, options))
    .every((caught) => caught);
