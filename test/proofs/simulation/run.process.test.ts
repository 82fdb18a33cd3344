/** A world repeats its history when its seed runs again, and leaves no trace in its process. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepParts, partsOf, planWorld } from './plan.js';
import { runPlan } from './run.js';

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
});
