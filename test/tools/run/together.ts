/**
 * Runs the tests of all files that are named as arguments in this process, which loads the code
 * once. Some files run at the same time, because many tests wait; the tests of one file run one
 * after the other, between the hooks of that file. `--at-once=N` says how many files,
 * `--file-timeout=MS` limits each. Flow tests, which also run in a browser, find mocha's functions
 * and the `expect` of the browser tests here (`browser-names.mjs`).
 */
import { register } from 'node:module';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

register('./browser-names.mjs', import.meta.url);

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'at-once': { type: 'string' }, 'file-timeout': { type: 'string' } },
});
const limit = values['file-timeout'];

// mocha's functions are global
Object.assign(globalThis, { after, afterEach, before, beforeEach, describe, it });

// Tests without a wait follow each other in one turn of the event loop. The servers and timers of
// the files beside them then stood still for up to 26 seconds.
const nextTurn = setImmediate;
afterEach(() => new Promise((resolve) => nextTurn(resolve)));

const seconds: { file: string; taken: number }[] = [];

void describe('files', { concurrency: Number(values['at-once'] ?? 1) }, () => {
  for (const file of positionals)
    void describe(
      file,
      { concurrency: 1, ...(limit !== undefined && { timeout: Number(limit) }) },
      async () => {
        let started = 0;
        before(() => {
          started = performance.now();
        });
        after(() => {
          seconds.push({ file, taken: (performance.now() - started) / 1000 });
        });
        await import(pathToFileURL(file).href);
      },
    );
});

const SHOWN_FILES = 10;

process.once('exit', () => {
  if (positionals.length <= SHOWN_FILES) return;
  console.log('\nThe files that took longest:');
  for (const { file, taken } of seconds.sort((a, b) => b.taken - a.taken).slice(0, SHOWN_FILES))
    console.log(`  ${taken.toFixed(1).padStart(6)} s  ${file}`);
});
