/** Every invariant holds in the known seeds, and in fresh ones when the run has time for them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readOptions } from './options.js';
import { simulate } from './simulate.js';
import { say } from './summary.js';

/** For how many real minutes fresh seeds run; each is printed. */
const { SIMULATE_MINUTES: minutes = '0' } = process.env;
/** The known seeds are the worlds in which a change is compared with the version before it. */
const SEEDS: Readonly<Record<string, string[]>> = {
  'known seeds': ['--seed', '50', '--seeds', '2'],
  ...(Number(minutes) > 0 && { 'fresh seeds': ['--minutes', minutes] }),
};

describe('a simulated world', () => {
  for (const [seeds, args] of Object.entries(SEEDS))
    it(`violates no invariant with ${seeds}`, async () => {
      const options = readOptions([...args, '--orders'], Date.now());
      const failure: string[] = [];
      const held = await simulate(options, (lines) => {
        say(lines);
        failure.push(...lines.filter((line) => !line.startsWith(' ')));
      });
      assert.ok(held, failure.join('\n'));
    });
});
