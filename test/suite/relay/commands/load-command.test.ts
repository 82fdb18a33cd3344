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
  const args = ['--input-type=module', '--eval', script];
  // damaged code that runs may never end
  return execFileSync(process.execPath, args, { timeout: 60_000 }).toString();
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
    const lines = Array.from(
      { length: 200 },
      (_, n) => `const f${n} = () => 'text ${n}'; f${n}();`,
    );
    writeFileSync(file, `${lines.join('\n')}\n${printing('one')}`);
    run('command.writeCache();');
    const kept = readFileSync(cache);
    const { length } = kept;
    for (const [from, to] of [
      [0, 1],
      [40, 200],
      [length / 2, length / 2 + 400],
      [length - 1, length],
    ] as const) {
      writeFileSync(cache, Buffer.from(kept).fill(7, Math.floor(from), Math.floor(to)));
      assert.equal(run(), 'one');
    }
    for (const short of [kept.subarray(0, length - 1), kept.subarray(0, 40), '']) {
      writeFileSync(cache, short);
      assert.equal(run(), 'one');
    }
  });
});
