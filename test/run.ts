/**
 * `npm test [-- STAGE…]` runs Node tests, browser tests, the packages, small proofs, simulated
 * worlds, the demo's journeys and the other end-to-end tests, two stages at a time. Files that
 * failed run once more, alone. The last lines name the tests that failed, and add up the totals of
 * the test runners.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT_ALREADY, buildWidget } from './support/built-widget.js';
import { failedTests } from './support/failed-tests.js';
import { needsOwnProcess } from './support/own-process.js';
import { buildCommand } from './support/relay-command.js';
import { secondAttempt } from './support/second-attempt.js';

const root = fileURLToPath(new URL('..', import.meta.url));
/**
 * A stage that runs longer is taken for hung and killed. The Node tests have needed more than 15
 * minutes on a busy machine with two cores.
 */
const MAX_STAGE_MS = 40 * 60_000;
/** Limits a file of end-to-end tests. */
const FILE_TIMEOUT_MS = 300_000;
type Totals = { passed: number; failed: number; skipped: number };

const filesIn = (folder: string): string[] => {
  try {
    const names = readdirSync(`${root}test/${folder}`, { recursive: true }) as string[];
    return names
      .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.browser.test.ts'))
      .map((name) => `test/${folder}/${name}`);
  } catch {
    return [];
  }
};

const node = (files: string[], ...flags: string[]): string[] => [
  '--import',
  'tsx',
  '--test',
  '--test-reporter=spec',
  ...flags,
  ...files,
];
/** All files in one process, which loads the code once. */
const together = (files: string[], ...flags: string[]): string[] => [
  '--import',
  'tsx',
  '--test-reporter=spec',
  'test/support/together.ts',
  ...flags,
  ...files,
];
const nodeFiles = (own: boolean): string[] =>
  ['relay', 'shop', 'demo', 'contract', 'docs', 'lint']
    .flatMap(filesIn)
    .filter((file) => needsOwnProcess(readFileSync(`${root}${file}`, 'utf8')) === own);
/** The journeys run in every engine, as the browser tests do (engines/). */
const JOURNEYS = 'test/e2e/journeys.test.ts';
/** The stages in order: the longest start first, so that none runs alone at the end. */
const stages: Record<string, () => string[]> = {
  // many files wait for processes; by default a machine with two cores runs one file at a time
  'node-processes': () => node(nodeFiles(true), '--test-concurrency=2'),
  e2e: () =>
    together(
      filesIn('e2e').filter((file) => file !== JOURNEYS),
      `--file-timeout=${FILE_TIMEOUT_MS}`,
    ),
  node: () => together(nodeFiles(false)),
  // the worlds run in one process on purpose: each replaces the clock of its process
  simulate: () => node(filesIn('simulation'), '--test-concurrency=1'),
  // each proof sets its own timeout; a timeout of the file would interrupt the last proofs
  proofs: () => node(filesIn('proofs'), '--test-concurrency=1'),
  browser: () => [
    '--import',
    'tsx',
    'node_modules/@web/test-runner/dist/bin.js',
    '--config',
    'test/support/web-test-runner.config.ts',
  ],
  packages: () => node(filesIn('packages')),
  journeys: () => node([JOURNEYS], `--test-timeout=${FILE_TIMEOUT_MS}`),
};

/**
 * Reads `ℹ pass 12` of Node's spec reporter, or `browser: 12 passed, 0 failed, 0 skipped` of
 * `support/totals-reporter.ts`.
 */
function readTotals(output: string): Totals {
  const last = (pattern: RegExp): number => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const browser = /^browser: (\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output);
  if (browser)
    return { passed: Number(browser[1]), failed: Number(browser[2]), skipped: Number(browser[3]) };
  return {
    passed: last(/^ℹ pass (\d+)$/gm),
    failed: last(/^ℹ fail (\d+)$/gm) + last(/^ℹ cancelled (\d+)$/gm),
    skipped: last(/^ℹ skipped (\d+)$/gm),
  };
}

/** Ends the stage's process group, with every process that its tests left running. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    // the group has already ended
  }
}

const running = new Set<ChildProcess>();

/** Two stages run at a time, so the output of each is printed as a whole when it ends. */
function run(name: string, args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, [BUILT_ALREADY]: '1' },
    });
    running.add(child);
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const limit = setTimeout(() => {
      output += `\n${name}: ended after its limit of ${MAX_STAGE_MS / 60_000} minutes\n`;
      killGroup(child);
    }, MAX_STAGE_MS);
    // a process that outlives its test would keep the output open, so `close` would never fire
    child.on('exit', () => killGroup(child));
    child.on('close', (code) => {
      clearTimeout(limit);
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}

const stop = (): void => {
  for (const child of running) killGroup(child);
  process.exit(1);
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !Object.hasOwn(stages, name));
if (unknown !== undefined) {
  console.error(`no stage ${unknown}: expected ${Object.keys(stages).join(', ')}`);
  process.exit(2);
}
buildWidget();
buildCommand();
const sum: Totals = { passed: 0, failed: 0, skipped: 0 };
let broken = false;
const waiting = Object.entries(stages).filter(
  ([name]) => chosen.length === 0 || chosen.includes(name),
);

/** These stages look for rare faults: a failure counts, although a second attempt may pass. */
const RARE_FAULTS = new Set(['proofs', 'simulate']);

type Failed = { name: string; args: string[]; failed: number };
const failedStages: Failed[] = [];
/** Printed at the end, because a log of CI often shows its last lines only. */
const failures: string[] = [];

function fail(name: string, output: string): void {
  broken = true;
  failures.push(`\n${name} failed:`, ...failedTests(output));
}

/** Takes stages from the queue until it is empty; two of these loops run at a time. */
async function runStages(): Promise<void> {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [name, args] = next;
    const started = Date.now();
    const { code, output } = await run(name, args());
    const totals = readTotals(output);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    process.stdout.write(output);
    console.log(`${name}: ${totals.passed} passed, ${totals.failed} failed in ${seconds} s`);
    sum.passed += totals.passed;
    sum.failed += totals.failed;
    sum.skipped += totals.skipped;
    if (code === 0 && totals.passed > 0) continue;
    const again = RARE_FAULTS.has(name) ? null : secondAttempt(args(), output);
    if (again && totals.failed > 0) failedStages.push({ name, args: again, failed: totals.failed });
    else fail(name, output);
  }
}

/**
 * Runs the failed files of a stage once more, alone: a test that fails only beside others met a
 * busy machine. What passes then is counted as passed, and named.
 */
async function runAlone({ name, args, failed }: Failed): Promise<void> {
  const { code, output } = await run(name, args);
  process.stdout.write(output);
  if (code !== 0 || readTotals(output).passed === 0) return fail(name, output);
  sum.passed += failed;
  sum.failed -= failed;
  const files = args.filter((arg) => arg.endsWith('.test.ts')).join(', ') || 'all files';
  console.log(`${name}: ${failed} failed beside other tests and passed alone, in ${files}`);
}

await Promise.all([runStages(), runStages()]);
for (const stage of failedStages) await runAlone(stage);
// a stage that crashed or ran no test is a failure that no test reported
if (broken && sum.failed === 0) sum.failed = 1;
for (const line of failures) console.log(line);
console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`);
process.exit(broken || sum.failed > 0 ? 1 : 0);
