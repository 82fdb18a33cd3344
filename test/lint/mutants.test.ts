/** The faults that the proofs must find can still be made: a change of the source must not leave one behind. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { mutants } from '../proofs/mutants.js';
import { proofs } from '../proofs/proofs.js';

test('every mutant changes what the source holds, and every proof has one', () => {
  for (const [name, { edits, proof }] of Object.entries(mutants)) {
    assert.ok(proof in proofs, name);
    for (const { file, from } of edits)
      assert.ok(
        readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').includes(from),
        `${name}: ${file} no longer holds ${from}`,
      );
  }
  assert.deepEqual(
    new Set(Object.values(mutants).map(({ proof }) => proof)),
    new Set(Object.keys(proofs)),
  );
});
