/** Each slow test that the mutation run leaves out still exists under its title. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('every slow test of the mutation run has its title in its file', () => {
  const titlesByFile = JSON.parse(read('proofs/mutation/slow-tests.json')) as Record<
    string,
    string[]
  >;
  for (const [file, titles] of Object.entries(titlesByFile)) {
    const source = read(`suite/relay/${file}`);
    for (const title of titles) assert.ok(source.includes(title), `${file} has no "${title}"`);
  }
});
