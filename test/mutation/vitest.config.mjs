/** Runs the relay's tests in one process of Node.js, so that a mutant costs no new process. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { QuickFirst } from './test-order.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** `run.ts` names the test files; all of them without it. */
const tests = (process.env.MUTATION_TESTS ?? '**/*').split(',');

/** Tests of the page's HTML, and tests that start other processes, which do not run the mutant. */
const LEFT_OUT =
  'test/relay/{resume-page.browser,command-line,commands,log,review,several-relays,start}.test.ts';

export default defineConfig({
  root: here('../..'),
  cacheDir: here('../../coverage/mutation/vite'),
  resolve: {
    alias: [
      { find: 'node:test', replacement: here('node-test.mjs') },
      {
        find: '@open-wc/testing',
        replacement: here('../../node_modules/@esm-bundle/chai/esm/chai.js'),
      },
      // Stryker writes a file that imports vitest into the root, which does not have it
      { find: /^vitest$/, replacement: here('node_modules/vitest/dist/index.js') },
    ],
  },
  test: {
    include: tests.map((name) => `test/relay/${name}.test.ts`),
    exclude: [LEFT_OUT],
    setupFiles: [here('mocha-globals.mjs')],
    testTimeout: 5_000,
    hookTimeout: 5_000,
    // one worker loads the relay once for all test files
    isolate: false,
    pool: 'threads',
    watch: false,
    sequence: { sequencer: QuickFirst },
  },
});
