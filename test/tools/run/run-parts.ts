/** Runs the test files whose path contains a part, and prints the commands that do it. */
import { spawn, spawnSync } from 'node:child_process';
import { COMMANDS, isFlow, root, runnerOf, testFiles, type Runner } from './test-files.js';
import { line, readTotals, type Totals } from './totals.js';

type Options = { readonly browser?: boolean; readonly watch?: boolean };

/** The chosen files by their runner; with `browser`, a flow test runs in a browser. */
export function groupsOf(
  parts: readonly string[],
  files: readonly string[],
  browser = false,
): Map<Runner, string[]> {
  const groups = new Map<Runner, string[]>();
  for (const file of files.filter((each) => parts.some((part) => each.includes(part)))) {
    const runner = browser && isFlow(file) ? 'browser' : runnerOf(file);
    groups.set(runner, [...(groups.get(runner) ?? []), file]);
  }
  return groups;
}

/** Prints the output as it comes, and returns it. */
function runVisibly(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        process.stdout.write(chunk);
      });
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs until the developer ends it. */
function watch(runner: Runner, args: readonly string[]): number {
  const watching = runner === 'browser' ? [...args, '--watch'] : ['--watch', ...args];
  print(watching);
  return spawnSync(process.execPath, watching, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const print = (args: readonly string[]): void => console.log(`node ${args.join(' ')}\n`);

/** @returns the exit code: 0 when all tests passed, 2 when no file was chosen */
export async function runParts(parts: readonly string[], options: Options): Promise<number> {
  const groups = groupsOf(parts, testFiles(), options.browser);
  const [first] = groups;
  if (!first) {
    console.error(`no test file has ${parts.join(' or ')} in its path`);
    return 2;
  }
  if (options.watch) {
    if (groups.size === 1) return watch(first[0], COMMANDS[first[0]](first[1]));
    console.error(
      `--watch takes files of one runner; these are of ${[...groups.keys()].join(', ')}`,
    );
    return 2;
  }
  const sum: Totals = { passed: 0, failed: 0, skipped: 0 };
  let broken = false;
  for (const [runner, files] of groups) {
    const args = COMMANDS[runner](files);
    print(args);
    const { code, output } = await runVisibly(args);
    const totals = readTotals(output);
    for (const key of ['passed', 'failed', 'skipped'] as const) sum[key] += totals[key];
    broken ||= code !== 0 || totals.passed === 0;
  }
  if (broken && sum.failed === 0) sum.failed = 1;
  console.log(`\n${line(sum)}`);
  return broken ? 1 : 0;
}
