/** A process of `--workers`: runs the world of each seed that it receives. */
import { planWorld } from '../plan.js';
import { failureLines } from '../report.js';
import { runPlan } from '../run.js';
import { rowsOf, type Result, type Task } from './messages.js';

// Ctrl+C reaches this process too; the world that runs ends first (pool.ts)
process.on('SIGINT', () => {});
process.on('message', (task: Task) => {
  run(task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(`seed ${task.seed}:`, error);
      process.exit(1);
    },
  );
});

async function run(task: Task): Promise<Result> {
  const { seed } = task;
  const before = process.cpuUsage();
  const outcome = await runPlan(planWorld(task));
  const { system, user } = process.cpuUsage(before);
  return {
    seed,
    orders: outcome.orders,
    digest: outcome.digest,
    failure: failureLines(seed, outcome),
    rows: rowsOf(outcome.table),
    cpuMs: (system + user) / 1000,
  };
}
