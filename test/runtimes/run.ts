/**
 * `npm run runtimes [-- --packed] [RUNTIME…]` installs the packed packages beside the runtimes,
 * runs the same tests against a relay and a shop on each of them, and prints a table. A runtime
 * that cannot be installed on this machine is skipped, unless it was asked for by name.
 */
import { spawnSync } from 'node:child_process';
import { tarballs } from '../packages/tarballs.js';
import { here, runtimes, whyAbsent } from './runtimes.js';

const NPM = ['install', '--no-audit', '--no-fund', '--prefer-offline'];
const ALL = ['relay.test.ts', 'shop.test.ts'];
/** What only this runtime has. */
const OWN: Readonly<Record<string, string[]>> = { workerd: ['durable-object.test.ts'] };

const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = asked.find((name) => !Object.hasOwn(runtimes, name));
if (unknown !== undefined) {
  console.error(`runtimes: no ${unknown}: expected ${Object.keys(runtimes).join(', ')}`);
  process.exit(2);
}

function install(...packages: string[]): void {
  const { status } = spawnSync('npm', [...NPM, ...packages], { cwd: here, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm install ended with ${status}`);
}

type Row = { passed: number; failed: number; startMs: number };

function test(name: string): Row {
  const files = [...ALL, ...(OWN[name] ?? [])].map((file) => here + file);
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
    startMs: total(/^start_ms (\d+)$/m),
  };
}

install();
install('--no-save', '--no-package-lock', ...tarballs());
const table = [['runtime', 'passed', 'failed', 'start ms']];
const skipped: string[] = [];
let failed = false;
for (const [name, runtime] of Object.entries(runtimes)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const absent = whyAbsent(runtime);
  if (absent !== null) {
    skipped.push(`${name} is skipped: ${absent}`);
    failed ||= asked.includes(name);
    continue;
  }
  const row = test(name);
  failed ||= row.failed > 0;
  table.push([name, ...[row.passed, row.failed, row.startMs].map(String)]);
}
const widths = [0, 1, 2, 3].map((column) =>
  Math.max(...table.map((row) => row[column]?.length ?? 0)),
);
for (const row of table)
  console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`);
for (const line of skipped) console.log(line);
process.exit(failed ? 1 : 0);
