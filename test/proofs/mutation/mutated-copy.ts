/** A copy of the repository in which one mutant at a time runs against stages of the tests. */
import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { BUILT_ALREADY } from '../../suite/support/built-widget.js';
import { secondAttempt } from '../../tools/run/second-attempt.js';
import type { Stage } from '../../tools/run/stages.js';
import { COMMANDS, root } from '../../tools/run/test-files.js';
import type { SampledMutant } from './sampled-mutants.js';

/** A mutant may make a test wait for ever: the stage `browser` takes two minutes alone. */
const MAX_STAGE_MS = 6 * 60_000;
const TOGETHER = 'together';
const BUILDS = ['build:widget', 'build:command'];

export type Copy = {
  /** @returns the file, stage or build that fails; null when all pass */
  failureOf(mutant: SampledMutant, stages: readonly Stage[]): Promise<string | null>;
  remove(): void;
};

type Ended = { failed: boolean; output: string };

function run(folder: string, command: string, args: readonly string[]): Promise<Ended> {
  const options = {
    cwd: folder,
    timeout: MAX_STAGE_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 28,
    env: { ...process.env, [BUILT_ALREADY]: '1' },
  } as const;
  return new Promise((resolve) => {
    execFile(command, args, options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    );
  });
}

const node = (folder: string, args: readonly string[]): Promise<Ended> =>
  run(folder, process.execPath, args);

/** @returns the script of a build that fails */
async function failingBuild(folder: string): Promise<string | null> {
  for (const script of BUILDS)
    if ((await run(folder, 'npm', ['run', '--silent', script])).failed) return script;
  return null;
}

/**
 * The tests of the changed folder alone, then all: the first find most mutants in seconds. The
 * tests of the relay do not load the widget.
 */
function nearestFirst(files: readonly string[], { file }: SampledMutant): (readonly string[])[] {
  const near = files.filter((each) => each.startsWith(`test/suite/${dirname(file)}/`));
  const all = file.startsWith('widget/')
    ? files.filter((each) => !each.startsWith('test/suite/relay/'))
    : files;
  return near.length === 0 ? [all] : [near, all];
}

/** Stops at the first failed test, because one is enough. */
async function failureTogether(folder: string, files: readonly string[]): Promise<string | null> {
  const reporter = '--test-reporter=./test/proofs/mutation/stop-at-failure.mjs';
  const args = COMMANDS.together(files);
  const { failed, output } = await node(
    folder,
    args.map((arg) => (arg === '--test-reporter=spec' ? reporter : arg)),
  );
  if (!failed) return null;
  const file = /^failed: \S*?(test\/\S+\.test\.ts) /m.exec(output)?.[1];
  // a test may fail because the machine is busy, so it must fail alone too
  if (file === undefined || (await node(folder, COMMANDS.together([file]))).failed)
    return file ?? TOGETHER;
  return failureInStage(folder, TOGETHER, args);
}

async function failureInStage(
  folder: string,
  name: string,
  args: readonly string[],
): Promise<string | null> {
  const { failed, output } = await node(folder, args);
  if (!failed) return null;
  const again = secondAttempt(args, output);
  return again && !(await node(folder, again)).failed ? null : name;
}

/** Copies the repository with its history, which some tests read; node_modules is linked. */
export async function createCopy(): Promise<Copy> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  const left = new Set(['coverage', 'dist', 'node_modules']);
  cpSync(root, folder, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  await failingBuild(folder);
  return {
    failureOf: async (mutant, stages) => {
      writeFileSync(join(folder, mutant.file), mutant.mutated);
      try {
        // all other stages start the built command or serve the built element
        if (stages.some(({ name }) => name !== TOGETHER)) {
          const failed = await failingBuild(folder);
          if (failed !== null) return failed;
        }
        for (const { files, name, runner } of stages)
          for (const part of nearestFirst(files, mutant)) {
            if (part.length === 0) continue;
            const failed =
              name === TOGETHER
                ? await failureTogether(folder, part)
                : await failureInStage(folder, name, COMMANDS[runner](part));
            if (failed !== null) return failed;
          }
        return null;
      } finally {
        copyFileSync(root + mutant.file, join(folder, mutant.file));
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
