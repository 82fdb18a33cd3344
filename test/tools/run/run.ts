/**
 * The tests.
 *
 * - `npm test`: the gate of a change, in at most four minutes
 * - `npm run test:all`: everything; `-- --record` writes what each stage costs into test/README.md
 * - `npm test -- PART…`: the files whose path contains one of the parts, each by its runner; prints
 *   the commands. With `--watch` they run again after each change, with `--browser` flow tests run
 *   in the browser engine that `ENGINE` names
 */
import { parseArgs } from 'node:util';
import { runParts } from './run-parts.js';
import { runStages } from './run-stages.js';
import { allStages } from './stages.js';

const USAGE = `npm test                     the gate of a change
npm run test:all [-- --record]
npm test -- [--watch] [--browser] PART-OF-A-PATH…`;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        browser: { type: 'boolean' },
        record: { type: 'boolean' },
        watch: { type: 'boolean' },
      },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return process.exit(2);
  }
}

const { positionals: parts, values } = readArguments();
if (parts.length > 0) process.exit(await runParts(parts, values));
if (values.watch || values.browser) {
  console.error(`name a part of a path\n\n${USAGE}`);
  process.exit(2);
}
const stages = allStages().filter(({ inGate }) => values.all || inGate);
process.exit(await runStages(stages, values.record === true));
