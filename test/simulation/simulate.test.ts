/** Every invariant holds in the known seeds, a seed repeats its history, and the mutants apply. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { relayMutants } from './mutants/relay-mutants.js';
import { readOptions } from './options.js';
import { keepParts, partsOf, planWorld } from './plan.js';
import { runPlan } from './run.js';
import { simulate } from './simulate.js';
import { say } from './summary.js';

const root = new URL('../../', import.meta.url);
/** For how many real minutes fresh seeds run; each is printed. */
const { SIMULATE_MINUTES: minutes = '0' } = process.env;
/** The known seeds are the worlds in which a change is compared with the version before it. */
const SEEDS: Readonly<Record<string, string[]>> = {
  'known seeds': ['--seed', '50', '--seeds', '2'],
  ...(Number(minutes) > 0 && { 'fresh seeds': ['--minutes', minutes] }),
};

const smallPlan = (seed: number) => {
  const plan = planWorld({ seed, days: 0.02, relays: 2 });
  return keepParts(plan, new Set(partsOf(plan).filter((_, index) => index % 3 === 0)));
};

describe('a simulated world', () => {
  it('repeats the history of a world when its seed runs again', async () => {
    const [first, second] = [await runPlan(smallPlan(7)), await runPlan(smallPlan(7))];
    assert.ok(first.orders > 0);
    assert.equal(first.digest, second.digest);
  });

  it('makes a different history when the seed differs', async () => {
    const [seventh, eighth] = [await runPlan(smallPlan(7)), await runPlan(smallPlan(8))];
    assert.notEqual(seventh.digest, eighth.digest);
  });

  it('puts the real time back when it ends', async () => {
    const before = [setTimeout, Date, crypto, performance.now, AbortSignal.timeout];
    await runPlan(smallPlan(9));
    const after = [setTimeout, Date, crypto, performance.now, AbortSignal.timeout];
    after.forEach((value, index) => assert.equal(value, before[index]));
  });

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

describe('a mutant of the relay', () => {
  for (const [name, { edits }] of Object.entries(relayMutants))
    it(`finds the source text that it replaces: ${name}`, () => {
      for (const { file, from } of edits)
        assert.ok(readFileSync(new URL(file, root), 'utf8').includes(from), `${file}: ${from}`);
    });
});
