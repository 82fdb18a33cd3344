/**
 * `--workers N`: runs many seeds in N processes. A process that is free gets the next seed. Ctrl+C
 * lets the worlds that run end, and prints the summary of what has run.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { sizeOf, type Options } from '../options.js';
import { planWorld } from '../plan.js';
import { shrunkLines } from '../report.js';
import { runPlan } from '../run.js';
import { shrink } from '../shrink.js';
import { createSummary, say } from '../summary.js';
import { tableOf } from '../table.js';
import type { Result, Task } from './messages.js';

/** With more failures than this, most have the same cause. */
const MAX_SHRUNK = 3;
const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));

/** @returns whether every invariant held in every world */
export async function simulateInWorkers(options: Options): Promise<boolean> {
  const { keepGoing, minutes, seed: from, seeds, workers } = options;
  const summary = createSummary(options);
  let next = from;
  const failed: number[] = [];
  let cpuMs = 0;
  let stopped = false;
  const stop = (): void => {
    stopped = true;
  };
  process.once('SIGINT', stop);
  const nextTask = (): Task | null => {
    const isOver = stopped || next >= from + seeds || summary.minutes() >= minutes;
    return isOver ? null : sizeOf(options, next++);
  };
  const note = ({ digest, failure, orders, rows, seed, ...result }: Result): void => {
    cpuMs += result.cpuMs;
    const held = failure.length === 0;
    summary.add(seed, { orders, table: tableOf(rows), held });
    if (options.orders) say([`seed ${seed}: ${orders} orders, history ${digest}`]);
    if (held) return;
    say(failure);
    failed.push(seed);
    stopped = !keepGoing;
  };
  await Promise.all(Array.from({ length: workers }, () => serve(nextTask, note)));
  process.off('SIGINT', stop);
  const held = summary.end(cpuMs / 60_000);
  if (options.shrink) await shrinkSeeds(failed, options);
  return held;
}

/** Runs failing worlds again in this process, and prints a smaller world for each. */
async function shrinkSeeds(failed: number[], options: Options): Promise<void> {
  for (const seed of failed.sort((a, b) => a - b).slice(0, MAX_SHRUNK)) {
    const plan = planWorld(sizeOf(options, seed));
    say(shrunkLines(options, await shrink(plan, await runPlan(plan))));
  }
  const left = failed.slice(MAX_SHRUNK);
  if (left.length > 0) say([`not made smaller: ${left.join(', ')}; run each with --seed N`]);
}

/** Starts a process, and gives it tasks until there are no more. */
async function serve(nextTask: () => Task | null, note: (result: Result) => void): Promise<void> {
  const worker = fork(WORKER);
  try {
    for (let task = nextTask(); task; task = nextTask()) note(await resultOf(worker, task));
  } finally {
    worker.kill();
  }
}

/** @throws Error when the process ends before its result comes */
const resultOf = (worker: ChildProcess, task: Task): Promise<Result> =>
  new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error(`the process with seed ${task.seed} has ended`));
    worker.once('exit', onExit);
    worker.once('message', (result) => {
      worker.off('exit', onExit);
      resolve(result as Result);
    });
    worker.send(task);
  });
