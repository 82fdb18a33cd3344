/**
 * Runs the Node tests of all files that are named as arguments, in this process, file by file. The
 * hooks of a file run before and after its own tests only. `--file-timeout=MS` limits each file.
 */
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'file-timeout': { type: 'string' } },
});
const limit = values['file-timeout'];
const options = limit === undefined ? {} : { timeout: Number(limit) };

for (const file of positionals)
  void describe(file, options, async () => {
    await import(pathToFileURL(file).href);
  });
