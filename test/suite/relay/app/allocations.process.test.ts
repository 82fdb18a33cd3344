/** A request allocates no more than its budget: each further byte costs CPU time to collect. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const script = fileURLToPath(new URL('../../support/allocations.ts', import.meta.url));
/** Nothing is collected or optimized while the process counts. */
const FLAGS = [
  ...['--no-opt', '--no-maglev', '--expose-gc'],
  ...['--min-semi-space-size=512', '--max-semi-space-size=512'],
];
/** Kilobytes, about a tenth more than Node 20 needs: other versions allocate a little more. */
/** `again`: a page waits for an order of which nothing changes, until it leaves. */
const BUDGET = { checkout: 79, pay: 211, query: 103, again: 116 };
const allocations = z.object({
  checkout: z.number(),
  pay: z.number(),
  query: z.number(),
  again: z.number(),
});

describe('a request', () => {
  it('allocates no more than its budget', () => {
    const args = [...FLAGS, '--import', 'tsx', script];
    const bytes = allocations.parse(JSON.parse(execFileSync(process.execPath, args).toString()));
    for (const name of allocations.keyof().options) {
      const kilobytes = BUDGET[name];
      const allocated = bytes[name] / 1000;
      // far fewer would mean that something was collected
      assert.ok(allocated > kilobytes / 2, `${name}: ${allocated} kB counted`);
      assert.ok(allocated <= kilobytes, `${name}: ${allocated} kB of ${kilobytes}`);
    }
  });
});
