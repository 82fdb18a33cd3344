/** Each listed survivor still matches the source; otherwise its reason explains no code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readKnown } from './survivors.js';

const root = new URL('../../../', import.meta.url);

test('every survivor of the mutation run matches a line of its file, and has a reason', () => {
  for (const [file, entries] of Object.entries(readKnown())) {
    const lines = readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .map((line) => line.trim());
    for (const { line, reason } of entries) {
      assert.ok(lines.includes(line), `${file} no longer contains ${line}`);
      assert.ok(reason.length > 0, `${file}: ${line} needs a reason`);
    }
  }
});
