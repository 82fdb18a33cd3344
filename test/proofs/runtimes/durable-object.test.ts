/** The ledger in the SQLite storage of a Durable Object. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { it } from 'node:test';
import { here } from './runtimes.js';

it('a ledger in a Durable Object does what every ledger does', () => {
  const output = execFileSync(process.execPath, [`${here}ledger.mjs`], {
    cwd: here,
    encoding: 'utf8',
  });
  assert.equal(output.trim(), '[]');
});
