/** Runs the simulation on copies of the relay that each have one deliberate bug. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { mutate } from '../../mutate.js';
import { mutantNamed, type Options } from '../options.js';
import type { InvariantName } from '../checker/invariant.js';
import { relayMutants } from './relay-mutants.js';

/** How many worlds run with a mutant before the mutant counts as not caught. */
const SEEDS = 20;
/** Small worlds: a world ends at its first violation, and the relay with a bug soon has one. */
const DAYS = 0.03;

/** Worlds to run with a mutant, in a copy of the source. */
type Worlds = { folder: string; name: string; seed: number };

/**
 * Runs worlds until the first violation in one of them is of the invariant.
 *
 * @returns the line that names the violation, or null
 */
async function findViolation(
  { folder, name, seed }: Worlds,
  invariant: InvariantName,
): Promise<string | null> {
  const args = ['--seed', `${seed}`, '--seeds', `${SEEDS}`, '--days', `${DAYS}`];
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      'test/proofs/simulation/simulate.ts',
      ...args,
      '--worlds-for',
      name,
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
export async function simulateMutant(name: string, { seed }: Options): Promise<boolean> {
  const mutant = mutantNamed(name, 'mutant');
  const { caughtBy } = mutant;
  const copy = mutate(mutant);
  const { folder } = copy;
  try {
    const caught = await findViolation({ folder, name, seed }, caughtBy);
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
  const names = Object.keys(relayMutants).values();
  const work = async (): Promise<void> => {
    for (const name of names) caught = (await simulateMutant(name, options)) && caught;
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  return caught;
}
