/** Every mutant still matches the source; otherwise its proof would run without the fault. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mutants, testMutants, type Edit } from './mutants.js';
import { proofs } from './proofs.js';

const root = new URL('../../', import.meta.url);

function checkEdits(name: string, edits: readonly Edit[]): void {
  for (const { file, from } of edits)
    assert.ok(
      readFileSync(new URL(file, root), 'utf8').includes(from),
      `${name}: ${file} no longer contains ${from}`,
    );
}

test('every mutant of a test matches the source', () => {
  for (const [name, { edits, test: file }] of Object.entries(testMutants)) {
    assert.ok(existsSync(new URL(file, root)), file);
    checkEdits(name, edits);
  }
});

test('every mutant of a proof matches the source, and every proof has one', () => {
  for (const [name, { edits, proof }] of Object.entries(mutants)) {
    assert.ok(proof in proofs, name);
    checkEdits(name, edits);
  }
  // a proof with other sizes may share the mutants of the proof that it runs
  const broken = new Set(Object.values(mutants).map(({ proof }) => proofs[proof]?.run));
  for (const [name, { run }] of Object.entries(proofs)) assert.ok(broken.has(run), name);
});
