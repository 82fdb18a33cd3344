/**
 * Which test files there are, and what runs each. The end of a file's name says it:
 *
 * - `.test.ts`: in one Node process, which loads the code once for all of them
 * - `.flow.test.ts`: there too, and in a browser, because the relay runs in any runtime
 * - `.process.test.ts`: in a Node process of its own: it starts processes or a database, blocks its
 *   process for seconds, or changes what the files of one process share
 * - `.browser.test.ts`: in a page of the chosen browser engine
 * - `.e2e.test.ts`: in Node, with a relay, a shop and a real Chromium
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Limits a file of end-to-end tests. */
const FILE_TIMEOUT_MS = 300_000;
/** The files with proofs and with worlds take minutes; one that hangs must not hold all others. */
const PROCESS_TIMEOUT_MS = 720_000;

export type Runner = 'together' | 'process' | 'browser' | 'e2e';

/** `npm run runtimes` runs these, in other runtimes too. */
const OF_OTHER_COMMANDS = 'test/proofs/runtimes/';

/** All test files by their path from the root, in alphabetical order. */
export function testFiles(): string[] {
  const names = readdirSync(`${root}test`, { recursive: true }) as string[];
  return names
    .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((file) => !file.startsWith(OF_OTHER_COMMANDS))
    .sort();
}

/** The runner of a file; a flow test runs in Node unless a stage says otherwise. */
export function runnerOf(file: string): Runner {
  if (file.endsWith('.browser.test.ts')) return 'browser';
  if (file.endsWith('.e2e.test.ts')) return 'e2e';
  return file.endsWith('.process.test.ts') ? 'process' : 'together';
}

export const isFlow = (file: string): boolean => file.endsWith('.flow.test.ts');

const together = (files: readonly string[], ...flags: string[]): string[] => [
  '--import',
  'tsx',
  '--test-reporter=spec',
  'test/tools/run/together.ts',
  ...flags,
  ...files,
];

/** The arguments of Node that run the files with a runner. */
export const COMMANDS: Readonly<Record<Runner, (files: readonly string[]) => string[]>> = {
  // many of these tests wait, so two files run at a time
  together: (files) => together(files, '--at-once=3'),
  e2e: (files) => together(files, `--file-timeout=${FILE_TIMEOUT_MS}`),
  // many of these files wait for processes, so two run at a time on two cores
  process: (files) => [
    '--import',
    'tsx',
    '--test',
    '--test-reporter=spec',
    '--test-concurrency=2',
    `--test-timeout=${PROCESS_TIMEOUT_MS}`,
    ...files,
  ],
  browser: (files) => [
    '--import',
    'tsx',
    'node_modules/@web/test-runner/dist/bin.js',
    '--config',
    'test/tools/run/web-test-runner.config.ts',
    '--files',
    ...files,
  ],
};
