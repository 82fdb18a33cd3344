/** The guide's table of `npm run frameworks -- --record`. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { environments } from '../../proofs/frameworks/environments.js';
import { cellsOf, GUIDE, HEAD, recordedLines } from '../../proofs/frameworks/table.js';
import { asRecorded, recordedIn, recordTable } from '../recorded-table.js';

const recorded = recordedIn(readFileSync(GUIDE, 'utf8'));
const rows = recorded
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| -'))
  .map((line) => line.slice(2, -2).split(' | '))
  .map((cells) => cells.map((cell) => cell.trim()));

describe('the guide’s table of frameworks', () => {
  it('has a row in the guide’s table for every environment of npm run frameworks', () => {
    const [head, ...others] = rows;
    assert.deepEqual(head, HEAD);
    assert.deepEqual(
      others.map(([name]) => name),
      environments.map(({ name }) => name),
    );
    // the first lines of the guide say that every check passes
    assert.deepEqual(
      others.filter((row) => row.includes('NO')),
      [],
    );
  });

  it('gives the guide’s table of frameworks the form in which a run records it', () => {
    const cores = Number(/^On (\d+) cores:$/m.exec(recorded)?.[1]);
    assert.equal(recorded, asRecorded(recordedLines(rows.slice(1), cores)));
  });

  it('marks a failed check, and one that does not apply, when a row is written', () => {
    const visit = { pays: true, receivesEvent: false, console: ['an error'], bytes: 43792 };
    const row = { ...visit, name: 'HTML', types: null, ssr: null, failures: [], seconds: 1.66 };
    assert.deepEqual(cellsOf(row), ['HTML', '–', '–', 'yes', 'NO', 'NO', '43792', '1.7']);
  });

  it('replaces only what stands between the markers, and refuses a file without them', () => {
    const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
    const file = pathToFileURL(join(folder, 'page.md'));
    const around = (text: string): string =>
      `a\n\nb\n\n<!-- table -->\n${text}<!-- end of table -->\nc\n`;
    try {
      for (const before of ['\n', '\n\n', '\nan older table\n\n']) {
        writeFileSync(file, around(before));
        recordTable(file, ['costs $1 and $&']);
        assert.equal(readFileSync(file, 'utf8'), around('\ncosts $1 and $&\n\n'));
      }
      writeFileSync(file, 'a page\n');
      assert.throws(() => recordTable(file, ['a table']), /no markers/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
