/** Read by Stryker; `run.ts` adds the files to mutate and the tests to run. */
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default {
  testRunner: 'node-test',
  testRunnerNodeArgs: ['--import', 'tsx', '--import', here('register.mjs')],
  plugins: [here('runner.mjs'), here('ignore-messages.mjs')],
  ignorers: ['messages'],
  coverageAnalysis: 'perTest',
  // a mutant that runs while its module loads would need every test in a new process
  ignoreStatic: true,
  concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
  // the first run takes two minutes for relay/ledger, and more on a machine that has other work
  dryRunTimeoutMinutes: 20,
  // the first run runs each test twice, so a mutant needs at most half of its time
  timeoutMS: 10_000,
  timeoutFactor: 0.75,
  reporters: ['json', 'html', 'progress-append-only'],
  jsonReporter: { fileName: 'coverage/mutation/report.json' },
  htmlReporter: { fileName: 'coverage/mutation/report.html' },
  tempDirName: 'coverage/mutation/sandbox',
  ignorePatterns: ['coverage', 'dist', '.demo'],
  allowConsoleColors: false,
};
