/** Each mutant of the relay changes text that the source has. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { relayMutants } from './relay-mutants.js';

const root = new URL('../../../../', import.meta.url);

describe('a mutant of the relay', () => {
  for (const [name, { edits }] of Object.entries(relayMutants))
    it(`finds the source text that it replaces: ${name}`, () => {
      for (const { file, from } of edits)
        assert.ok(readFileSync(new URL(file, root), 'utf8').includes(from), `${file}: ${from}`);
    });
});
