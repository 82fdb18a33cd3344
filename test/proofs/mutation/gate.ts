/**
 * `npm run mutation:gate -- [--mutants 120] [--seed 1] [--minutes N]` shows what the gate finds of
 * what all tests find. Each change of the source runs against the stage `together`, a survivor
 * against the other stages of the gate, and a survivor of these against all other stages. The
 * results are kept in `coverage/mutation-gate/`, so that a run which was stopped goes on.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BUILT_ALREADY } from '../../suite/support/built-widget.js';
import { secondAttempt } from '../../tools/run/second-attempt.js';
import { allStages, type Stage } from '../../tools/run/stages.js';
import { COMMANDS, root } from '../../tools/run/test-files.js';
import { sample, type SampledMutant } from './sampled-mutants.js';

/** A mutant may make a test wait for ever. */
const MAX_STAGE_MS = 15 * 60_000;
const TOGETHER = 'together';

type FoundBy = 'together' | 'gate' | 'all' | 'nothing';
type Result = { file: string; at: number; change: string; foundBy: FoundBy; by: string };

const { values } = parseArgs({
  options: {
    mutants: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: 'Infinity' },
  },
});
const end = performance.now() + Number(values.minutes) * 60_000;
const resultsFile = `${root}coverage/mutation-gate/seed-${values.seed}.jsonl`;

const node = (folder: string, args: readonly string[]): { status: number; output: string } => {
  const { status, stderr, stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: MAX_STAGE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
    env: { ...process.env, [BUILT_ALREADY]: '1' },
  });
  return { status: status ?? 1, output: stdout + stderr };
};

/** The tests of the changed folder first: they find most of its mutants. */
function nearestFirst(files: readonly string[], { file }: SampledMutant): string[] {
  const own = `test/suite/${dirname(file)}/`;
  return [...files].sort((a, b) => Number(b.startsWith(own)) - Number(a.startsWith(own)));
}

/** @returns the file or the stage that fails; null when all pass, some at a second attempt */
function failureIn(folder: string, { files, name, runner }: Stage, mutant: SampledMutant) {
  const args = COMMANDS[runner](nearestFirst(files, mutant));
  if (name === TOGETHER) {
    const reporter = '--test-reporter=./test/proofs/mutation/stop-at-failure.mjs';
    const stopping = args.map((arg) => (arg === '--test-reporter=spec' ? reporter : arg));
    const { output, status } = node(folder, stopping);
    if (status === 0) return null;
    const failed = /^failed: \S*?(test\/\S+\.test\.ts) /m.exec(output)?.[1];
    // a test may fail because the machine is busy, so it must fail alone too
    if (failed === undefined || node(folder, COMMANDS.together([failed])).status !== 0)
      return failed ?? name;
  }
  const { output, status } = node(folder, args);
  if (status === 0) return null;
  const again = secondAttempt(args, output);
  return again && node(folder, again).status === 0 ? null : name;
}

function test(folder: string, mutant: SampledMutant, stages: readonly Stage[]): Result {
  const { at, change, file } = mutant;
  const found = (foundBy: FoundBy, by: string): Result => ({ file, at, change, foundBy, by });
  writeFileSync(join(folder, file), mutant.mutated);
  try {
    const [together, ...others] = stages;
    const first = together && failureIn(folder, together, mutant);
    if (first) return found(TOGETHER, first);
    if (!build(folder)) return found('gate', 'build');
    for (const stage of others) {
      const failed = failureIn(folder, stage, mutant);
      if (failed) return found(stage.inGate ? 'gate' : 'all', failed);
    }
    return found('nothing', '');
  } finally {
    copyFileSync(root + file, join(folder, file));
  }
}

const build = (folder: string): boolean =>
  ['build:widget', 'build:command'].every(
    (script) => spawnSync('npm', ['run', '--silent', script], { cwd: folder }).status === 0,
  );

/** Copies the repository with its history, which some tests read; node_modules is linked. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const left = new Set(['coverage', 'dist', 'node_modules']);
  cpSync(root, folder, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const keyOf = ({ at, change, file }: Pick<Result, 'at' | 'change' | 'file'>): string =>
  `${file}:${at} ${change}`;

if (!existsSync(new URL('node_modules', import.meta.url)))
  spawnSync('npm', ['ci', '--prefix', 'test/proofs/mutation', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
  });
mkdirSync(dirname(resultsFile), { recursive: true });
const results: Result[] = existsSync(resultsFile)
  ? readFileSync(resultsFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Result)
  : [];
const mutants = await sample(Number(values.seed), Number(values.mutants));
const stages = [...allStages()].sort((a, b) => Number(b.inGate) - Number(a.inGate));
const copy = copyRepository();
build(copy);
process.once('exit', () => rmSync(copy, { recursive: true }));
console.log(`seed ${values.seed}: ${mutants.length} mutants, ${results.length} known results`);
for (const mutant of mutants) {
  if (performance.now() > end) break;
  if (results.some((result) => keyOf(result) === keyOf(mutant))) continue;
  const started = performance.now();
  const result = test(copy, mutant, stages);
  results.push(result);
  appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${result.foundBy}: ${keyOf(mutant)}\n  ${result.by} in ${seconds} s`);
}

const wanted = new Set(mutants.map(keyOf));
const counted = results.filter((result) => wanted.has(keyOf(result)));
const count = (...by: FoundBy[]): number =>
  counted.filter(({ foundBy }) => by.includes(foundBy)).length;
const gate = count(TOGETHER, 'gate');
const all = gate + count('all');
console.log(
  `${counted.length} of ${mutants.length} mutants: together ${count(TOGETHER)}, gate ${gate}, ` +
    `all ${all}, nothing ${count('nothing')}; gate ÷ all ${((100 * gate) / all).toFixed(1)} %`,
);
