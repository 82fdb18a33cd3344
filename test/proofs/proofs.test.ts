/** The proofs that are short enough for every change, in their small size. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proofs } from './proofs.js';

/** Of one proof in its small size; the slowest takes about a minute on a quiet machine. */
const LIMIT_MS = 5 * 60_000;

describe('proofs', () => {
  for (const [name, { run, small }] of Object.entries(proofs))
    if (small)
      it(`${name} holds`, { timeout: LIMIT_MS }, async () => {
        const { figures, held } = await run(small);
        console.log(`${name} ${JSON.stringify(small)}: ${figures}`);
        assert.ok(held, figures);
      });
});
