/** The built command starts from code that V8 compiled at the build, and never from older code. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('load-command');
const loader = new URL('../../../../relay/commands/load-command.mjs', import.meta.url);
const file = join(folder, 'command.cjs');
const cache = `${file}.cache`;

/** Loads the file in a process of its own, and returns what it prints. */
function run(then = ''): string {
  const script = `import { load } from ${JSON.stringify(loader.href)};
    const command = load(new URL(${JSON.stringify(pathToFileURL(file).href)}));
    command.run();${then}`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script]).toString();
}

const printing = (text: string): string => `process.stdout.write('${text}');`;

describe('the command that starts from compiled code', () => {
  it('imports modules, with and without the code that was kept', () => {
    const source = "importModule('node:os').then(({ EOL }) => process.stdout.write(typeof EOL));";
    writeFileSync(file, source);
    assert.equal(run('command.writeCache();'), 'string');
    assert.equal(run(), 'string');
  });

  it('runs a source of the same length when the kept code is of another one', () => {
    writeFileSync(file, printing('old'));
    run('command.writeCache();');
    writeFileSync(file, printing('new'));
    assert.equal(run(), 'new');
  });

  it('runs the source when the kept code is damaged', () => {
    writeFileSync(file, printing('one'));
    run('command.writeCache();');
    writeFileSync(cache, readFileSync(cache).fill(7, 40, 200));
    assert.equal(run(), 'one');
    writeFileSync(cache, '');
    assert.equal(run(), 'one');
  });
});
