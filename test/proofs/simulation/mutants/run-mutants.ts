/** Runs the simulation on copies of the relay that each have one deliberate bug. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { mutate } from '../../mutate.js';
import { WrongOption, type Options } from '../options.js';
import type { InvariantName } from '../checker/invariant.js';
import { relayMutants } from './relay-mutants.js';

/** How many other worlds run with a mutant before the mutant counts as not caught. */
const SEEDS = 60;

/** Worlds to run with a mutant, in a copy of the source. */
type Worlds = { days: number; folder: string; seed: number; seeds: number };

/**
 * Runs worlds until the first violation in one of them is of the invariant.
 *
 * @returns the line that names the violation, or null
 */
async function findViolation(
  { days, folder, seed, seeds }: Worlds,
  invariant: InvariantName,
): Promise<string | null> {
  const args = ['--seed', `${seed}`, '--seeds', `${seeds}`, '--days', `${days}`];
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'test/proofs/simulation/simulate.ts',
      ...args,
      '--no-shrink',
      '--keep-going',
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = new Promise((resolve) => child.once('close', resolve));
  try {
    for await (const line of createInterface({ input: child.stdout }))
      if (isCaughtBy(invariant, line)) return line;
    return null;
  } finally {
    child.kill();
    await ended;
  }
}

/** @returns whether the simulation caught the mutant */
export async function simulateMutant(
  name: string,
  { seed, size: { days } }: Options,
): Promise<boolean> {
  const mutant = Object.hasOwn(relayMutants, name) ? relayMutants[name] : undefined;
  if (!mutant)
    throw new WrongOption(`--mutant: expected one of ${Object.keys(relayMutants).join(', ')}`);
  const { caughtBy, seed: known } = mutant;
  const copy = mutate(mutant);
  const { folder } = copy;
  try {
    const caught =
      (await findViolation({ days, folder, seed: known, seeds: 1 }, caughtBy)) ??
      (await findViolation({ days, folder, seed, seeds: SEEDS }, caughtBy));
    console.log(
      caught === null
        ? `mutant ${name}: NOT CAUGHT by "${caughtBy}" in ${SEEDS} worlds`
        : `mutant ${name}: caught: ${caught}`,
    );
    return caught !== null;
  } finally {
    copy.remove();
  }
}

/** Whether a line of a run names a violation of this invariant, and of no other. */
const isCaughtBy = (invariant: InvariantName, line: string): boolean =>
  new RegExp(`^seed \\d+: ${invariant}: `).test(line);

/** @returns whether the simulation caught every mutant */
export async function simulateMutants(options: Options): Promise<boolean> {
  let caught = true;
  for (const name of Object.keys(relayMutants))
    caught = (await simulateMutant(name, options)) && caught;
  return caught;
}
