/** Runs the simulation on copies of the relay that each have one deliberate bug. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { mutate } from '../../mutate.js';
import { mutantNamed, type Options } from '../options.js';
import type { InvariantName } from '../checker/invariant.js';
import { relayMutants } from './relay-mutants.js';

/** How many worlds run with a mutant before the mutant counts as not caught. */
const SEEDS = 20;

/** The last line of a run; a process that ended before it has not run all its worlds. */
const SUMMARY = /^seeds \d+ to \d+: /;

/** The options of the worlds that run with a mutant. */
export const worldsOf = (name: string, { seed, size }: Options): string[] => [
  ...['--seed', `${seed}`, '--seeds', `${SEEDS}`, '--days', `${size.days}`],
  ...['--worlds-for', name, '--no-shrink', '--keep-going'],
];

/** A Node.js process that runs worlds in a copy of the source. */
type Run = { folder: string; args: readonly string[] };

/**
 * Runs worlds until the first violation in one of them is of the invariant.
 *
 * @returns the line that names the violation, or null
 * @throws Error when the process ends before it has run all worlds: then nothing is known
 */
export async function findViolation(
  { args, folder }: Run,
  invariant: InvariantName,
): Promise<string | null> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<string>((resolve) =>
    child.once('close', (status, signal) => resolve(signal ?? `status ${status}`)),
  );
  let hasRunAll = false;
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (isCaughtBy(invariant, line)) return line;
      hasRunAll ||= SUMMARY.test(line);
    }
  } finally {
    child.kill();
    await ended;
  }
  if (!hasRunAll) throw new Error(`the worlds did not run to their end: ${await ended}`);
  return null;
}

/**
 * @returns whether the simulation caught the mutant
 * @throws Error when its worlds did not run to their end
 */
export async function simulateMutant(name: string, options: Options): Promise<boolean> {
  const mutant = mutantNamed(name, 'mutant');
  const { caughtBy } = mutant;
  const copy = mutate(mutant);
  const script = ['--import', 'tsx', 'test/proofs/simulation/simulate.ts'];
  const run = { folder: copy.folder, args: [...script, ...worldsOf(name, options)] };
  try {
    const caught = await findViolation(run, caughtBy);
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

/**
 * @returns whether the simulation caught every mutant
 * @throws Error after the last mutant, when the worlds of one did not run to their end
 */
export async function simulateMutants(options: Options): Promise<boolean> {
  let caught = true;
  const broken: string[] = [];
  const names = Object.keys(relayMutants).values();
  const work = async (): Promise<void> => {
    for (const name of names)
      try {
        caught = (await simulateMutant(name, options)) && caught;
      } catch (error) {
        console.error(`mutant ${name}: ERROR:`, error);
        broken.push(name);
      }
  };
  await Promise.all(Array.from({ length: options.workers }, work));
  if (broken.length > 0) throw new Error(`these mutants were not tried: ${broken.join(', ')}`);
  return caught;
}
