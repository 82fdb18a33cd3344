/** Runs every proof that has a small size. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proofs } from './proofs.js';
import { reportLines } from './report.js';

/** The slowest proof takes about a minute in its small size on an idle machine. */
const PROOF_TIMEOUT_MS = 5 * 60_000;

describe('proofs', () => {
  for (const [name, { run, small }] of Object.entries(proofs))
    if (small)
      it(`the proof ${name} holds in its small size`, { timeout: PROOF_TIMEOUT_MS }, async () => {
        const result = await run(small);
        const report = reportLines(result).join('; ');
        console.log(`${name} ${JSON.stringify(small)}: ${report}`);
        assert.ok(result.held, report);
      });
});
