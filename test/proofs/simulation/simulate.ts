/**
 * `npm run simulate -- --seed N`: runs the real relay in simulated worlds, and fails with the seed
 * of the first world in which an invariant does not hold. README.md tells more.
 */
import { simulateMutant, simulateMutants } from './mutants/run-mutants.js';
import { checkKept, readOptions, sizeOf, USAGE, WrongOption, type Options } from './options.js';
import { keepParts, partsOf, planWorld } from './plan.js';
import { failureLines, shrunkLines } from './report.js';
import { runPlan } from './run.js';
import { shrink } from './shrink.js';
import { createSummary, say } from './summary.js';
import { simulateInWorkers } from './workers/pool.js';

/**
 * @param sayFailure gets the lines about a world in which an invariant does not hold; not called
 *   with `--workers`
 * @returns whether every invariant held in every world
 */
export async function simulate(options: Options, sayFailure = say): Promise<boolean> {
  if (options.workers > 1) return simulateInWorkers(options);
  let isStopped = false;
  const stop = (): void => void (isStopped = true);
  process.once('SIGINT', stop);
  try {
    return await simulateHere(options, sayFailure, () => isStopped);
  } finally {
    process.off('SIGINT', stop);
  }
}

async function simulateHere(
  options: Options,
  sayFailure: typeof say,
  isStopped: () => boolean,
): Promise<boolean> {
  const summary = createSummary(options);
  const used = process.cpuUsage();
  const goesOn = (): boolean => !isStopped() && summary.minutes() < options.minutes;
  for (let seed = options.seed; seed < options.seed + options.seeds && goesOn(); seed++) {
    const planned = planWorld(sizeOf(options, seed));
    if (options.keep) checkKept(options.keep, partsOf(planned));
    const plan = options.keep ? keepParts(planned, options.keep) : planned;
    const outcome = await runPlan(plan, options.about).catch((cause: unknown) => {
      throw new Error(`seed ${seed}: the world ended with an error`, { cause });
    });
    const held = outcome.violation === null;
    summary.add(seed, { ...outcome, held });
    if (options.orders || options.seeds === 1)
      say([`seed ${seed}: ${outcome.orders} orders, history ${outcome.digest}`]);
    if (options.history) say(outcome.tail);
    if (options.twice && (await runPlan(plan)).digest !== outcome.digest) {
      say([`seed ${seed}: two runs gave two histories`]);
      return false;
    }
    if (held) continue;
    sayFailure(failureLines(seed, outcome));
    if (options.shrink) sayFailure(shrunkLines(options, await shrink(plan, outcome)));
    if (!options.keepGoing) return false;
  }
  const { system, user } = process.cpuUsage(used);
  return summary.end((system + user) / 60e6);
}

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2), Date.now());
  if (options.mutants) return simulateMutants(options);
  if (options.mutant !== null) return simulateMutant(options.mutant, options);
  return simulate(options);
}

if (process.argv[1]?.endsWith('simulate.ts'))
  main().then(
    (held) => process.exit(held ? 0 : 1),
    (error: unknown) => {
      if (error instanceof WrongOption) console.error(`${error.message}\n${USAGE}`);
      else console.error(error);
      process.exit(2);
    },
  );
