/** The ledger in the SQLite storage of a Durable Object. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { here } from './runtimes.js';

it('does in a Durable Object what every ledger does', () => {
  const output = execFileSync(process.execPath, [`${here}ledger.mjs`], {
    cwd: here,
    encoding: 'utf8',
  });
  assert.equal(output.trim(), '[]');
});
