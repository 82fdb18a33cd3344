/**
 * Runs stages, two at a time. Files that failed run once more, alone: a test that fails only beside
 * others met a busy machine. The last lines name the tests that failed, and add up the totals.
 */
import { buildWidget } from '../../suite/support/built-widget.js';
import { buildCommand } from '../../suite/support/relay-command.js';
import { failedTests } from './failed-tests.js';
import { killAll, runProcess, type Ran } from './run-process.js';
import { secondAttempt } from './second-attempt.js';
import { writeStageTable, type Cost } from './stage-table.js';
import type { Stage } from './stages.js';
import { COMMANDS } from './test-files.js';
import { line, readTotals, type Totals } from './totals.js';

const LANES = 2;

type Failed = { stage: Stage; args: readonly string[]; failed: number };

/**
 * @param record whether the table in test/README.md gets the costs of these stages
 * @returns the exit code
 */
export async function runStages(stages: readonly Stage[], record: boolean): Promise<number> {
  const stop = (): void => {
    killAll();
    process.exit(1);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  buildWidget();
  buildCommand();

  const sum: Totals = { passed: 0, failed: 0, skipped: 0 };
  const costs: Cost[] = [];
  const again: Failed[] = [];
  /** Printed at the end, because a log of CI often shows its last lines only. */
  const failures: string[] = [];
  const fail = (name: string, output: string): void =>
    void failures.push(`\n${name} failed:`, ...failedTests(output));

  const finish = (stage: Stage, { code, cpuSeconds, output, seconds }: Ran): void => {
    const totals = readTotals(output);
    process.stdout.write(output);
    console.log(
      `${stage.name}: ${line(totals)}, in ${seconds.toFixed(0)} s ` +
        `with ${cpuSeconds.toFixed(0)} s of CPU time`,
    );
    costs.push({ stage, seconds, cpuSeconds, tests: totals.passed });
    sum.passed += totals.passed;
    sum.failed += totals.failed;
    sum.skipped += totals.skipped;
    if (code === 0 && totals.passed > 0) return;
    const args = COMMANDS[stage.runner](stage.files);
    const retried = stage.looksForRareFaults ? null : secondAttempt(args, output);
    if (retried && totals.failed > 0) again.push({ stage, args: retried, failed: totals.failed });
    else fail(stage.name, output);
  };

  const waiting = [...stages];
  const lane = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage; stage = waiting.shift())
      finish(stage, await runProcess(stage.name, COMMANDS[stage.runner](stage.files)));
  };
  await Promise.all(Array.from({ length: LANES }, lane));

  for (const { args, failed, stage } of again) {
    const { code, output } = await runProcess(stage.name, args);
    process.stdout.write(output);
    if (code !== 0 || readTotals(output).passed === 0) {
      fail(stage.name, output);
      continue;
    }
    sum.passed += failed;
    sum.failed -= failed;
    const files = args.filter((arg) => arg.endsWith('.test.ts')).join(', ');
    console.log(`${stage.name}: ${failed} failed beside other tests and passed alone, in ${files}`);
  }

  if (record) writeStageTable(costs);
  // a stage that crashed or ran no test is a failure that no test reported
  if (failures.length > 0 && sum.failed === 0) sum.failed = 1;
  for (const each of failures) console.log(each);
  console.log(`\n${line(sum)}`);
  return failures.length > 0 || sum.failed > 0 ? 1 : 0;
}
