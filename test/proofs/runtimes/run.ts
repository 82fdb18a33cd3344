/**
 * `npm run runtimes [-- --packed] [--allow-missing] [RUNTIME…]` installs the packed packages beside
 * the runtimes, runs the same tests against a relay and a shop on each of them, and prints a table.
 * It fails when a test was skipped, or when a runtime cannot be installed on this machine. With
 * `--allow-missing` such a runtime is left out, unless it was asked for by name.
 */
import { spawnSync } from 'node:child_process';
import { tarballs } from '../../tools/packages/tarballs.js';
import { here, runtimes, whyAbsent, type Runtime } from './runtimes.js';

const NPM = ['install', '--no-audit', '--no-fund', '--prefer-offline'];

const allowsMissing = process.argv.includes('--allow-missing');
const chosen = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = chosen.find((name) => !Object.hasOwn(runtimes, name));
if (unknown !== undefined) {
  console.error(`runtimes: no ${unknown}: expected ${Object.keys(runtimes).join(', ')}`);
  process.exit(2);
}

function install(...packages: string[]): void {
  const { status } = spawnSync('npm', [...NPM, ...packages], { cwd: here, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm install ended with ${status}`);
}

type Row = { passed: number; failed: number; skipped: number; startMs: number };

function test(name: string, { tests }: Runtime): Row {
  const files = tests.map((part) => `${here}${part}.test.ts`);
  const flags = ['--import', 'tsx', '--test', '--test-concurrency=1', '--test-reporter=spec'];
  const { stdout } = spawnSync(process.execPath, [...flags, ...files], {
    env: { ...process.env, RUNTIME: name },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  process.stdout.write(stdout);
  const total = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0);
  const passed = total(/^ℹ pass (\d+)$/m);
  const failed = total(/^ℹ fail (\d+)$/m) + total(/^ℹ cancelled (\d+)$/m);
  // a run that crashed before its first test reports no failure by itself
  return {
    passed,
    failed: passed === 0 ? Math.max(1, failed) : failed,
    skipped: total(/^ℹ skipped (\d+)$/m),
    startMs: total(/^start_ms (\d+)$/m),
  };
}

install();
install('--no-save', '--no-package-lock', ...tarballs());
const table = [['runtime', 'tests of', 'passed', 'failed', 'skipped', 'start ms']];
const notes: string[] = [];
let failed = false;
for (const [name, runtime] of Object.entries(runtimes)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const absent = whyAbsent(runtime);
  if (absent !== null) {
    notes.push(`${name} was not tried: ${absent}`);
    failed ||= !allowsMissing || chosen.includes(name);
    continue;
  }
  const row = test(name, runtime);
  failed ||= row.failed + row.skipped > 0;
  const numbers = [row.passed, row.failed, row.skipped, row.startMs];
  table.push([name, runtime.tests.join(', '), ...numbers.map(String)]);
}
const widths = (table[0] ?? []).map((_, column) =>
  Math.max(...table.map((row) => row[column]?.length ?? 0)),
);
for (const row of table)
  console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
for (const line of notes) console.log(line);
process.exit(failed ? 1 : 0);
