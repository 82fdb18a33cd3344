/** The proofs that are short enough for every change, in their small size. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proofs } from './proofs.js';

describe('proofs', () => {
  for (const [name, { run, small }] of Object.entries(proofs))
    if (small)
      it(`${name} holds`, async () => {
        const { figures, held } = await run(small);
        console.log(`${name} ${JSON.stringify(small)}: ${figures}`);
        assert.ok(held, figures);
      });
});
