/**
 * `npm run simulate -- --seed N`: runs the real relay in simulated worlds, and fails with the seed
 * of the first world in which an invariant does not hold. README.md tells more.
 */
import { simulateMutant, simulateMutants } from './mutants/run-mutants.js';
import { readOptions, USAGE, type Options } from './options.js';
import { keepParts, planWorld } from './plan.js';
import { failureLines, shrunkLines } from './report.js';
import { runPlan } from './run.js';
import { shrink } from './shrink.js';
import { addTable, emptyTable, tableLines, untried, writeTable } from './table.js';

const say = (lines: readonly string[]): void => console.log(lines.join('\n'));

/** @returns whether every world held */
export async function simulate(options: Options): Promise<boolean> {
  const table = emptyTable();
  const began = performance.now();
  const used = process.cpuUsage();
  const minutes = (): number => (performance.now() - began) / 60_000;
  const failed: number[] = [];
  let orders = 0;
  let seed = options.seed;
  for (let left = options.seeds; left > 0 && minutes() < options.minutes; left--, seed++) {
    const planned = planWorld({ seed, ...options.size });
    const plan = options.keep ? keepParts(planned, options.keep) : planned;
    const outcome = await runPlan(plan, options.about);
    orders += outcome.orders;
    addTable(table, outcome.table);
    if (options.orders || options.seeds === 1)
      say([`seed ${seed}: ${outcome.orders} orders, history ${outcome.digest}`]);
    if (options.history) say(outcome.tail);
    if (options.twice && (await runPlan(plan)).digest !== outcome.digest) {
      say([`seed ${seed}: two runs gave two histories`]);
      return false;
    }
    if (!outcome.violation) continue;
    failed.push(seed);
    say(failureLines(seed, outcome));
    if (options.shrink) say(shrunkLines(options, await shrink(plan, outcome)));
    if (!options.keepGoing) return false;
  }
  const { system, user } = process.cpuUsage(used);
  const cpuMinutes = (system + user) / 60e6;
  const rate = (spent: number): number => Math.round(orders / Math.max(spent, 1e-6));
  const ran =
    `seeds ${options.seed} to ${seed - 1}: ${orders} orders, ${rate(minutes())} a minute, ` +
    `${rate(cpuMinutes)} a minute of processor time`;
  if (options.table) {
    say([...tableLines(table), ...untried(table).map((cell) => `0: ${cell}`)]);
    writeTable(table, `${seed - options.seed} worlds with ${orders} orders`);
  }
  say([failed.length === 0 ? `${ran}; all hold` : `${ran}; not held: ${failed.join(', ')}`]);
  return failed.length === 0;
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
      console.error(error instanceof Error ? `${error.stack}\n${USAGE}` : String(error));
      process.exit(2);
    },
  );
