/** Runs the simulation on copies of the relay that each have one deliberate bug. */
import { spawnSync } from 'node:child_process';
import { mutate } from '../../proofs/mutate.js';
import { WrongOption, type Options } from '../options.js';
import { relayMutants } from './relay-mutants.js';

/** How many worlds run with a mutant before the mutant counts as not caught. */
const SEEDS = 60;

/** @returns whether the simulation caught the mutant */
export function simulateMutant(name: string, { seed, size }: Options): boolean {
  const edits = Object.hasOwn(relayMutants, name) ? relayMutants[name] : undefined;
  if (!edits)
    throw new WrongOption(`--mutant: expected one of ${Object.keys(relayMutants).join(', ')}`);
  const copy = mutate({ edits });
  try {
    const args = ['--seed', `${seed}`, '--seeds', `${SEEDS}`, '--days', `${size.days}`];
    const { status, stdout } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'test/simulation/simulate.ts', ...args, '--no-shrink'],
      { cwd: copy.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const verdict = stdout.trim().split('\n').at(-1) ?? '';
    const caught = status === 1 && /^seed \d+: /.test(verdict);
    console.log(`mutant ${name}: ${caught ? 'caught' : 'NOT CAUGHT'}: ${verdict}`);
    return caught;
  } finally {
    copy.remove();
  }
}

/** @returns whether the simulation caught every mutant */
export const simulateMutants = (options: Options): boolean =>
  Object.keys(relayMutants)
    .map((name) => simulateMutant(name, options))
    .every((caught) => caught);
