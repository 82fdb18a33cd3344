/** A failing plan is made smaller until only the parts are left that the failure needs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { InvariantName } from './checker/invariant.js';
import { partsOf, planWorld, type WorldPlan } from './plan.js';
import { shrunkLines } from './report.js';
import type { Outcome } from './run.js';
import { MAX_MS, MAX_RUNS, shrink, type ShrinkDeps } from './shrink.js';

const plan = planWorld({ seed: 4, days: 0.1, relays: 3 });
const [firstFault] = plan.faults;
const NEEDED = ['c0x17', 'c0x103', firstFault?.id ?? ''];

const outcome = (invariant: InvariantName | null): Outcome => ({
  violation: invariant === null ? null : { invariant, text: 'a text', at: plan.lastsMs },
  orders: 1,
  digest: 'd',
  tail: [],
  table: new Map(),
});
/** Violates an invariant while all needed parts are left; without one of them, another one. */
const run = async (smaller: WorldPlan): Promise<Outcome> => {
  const parts = partsOf(smaller);
  return outcome(NEEDED.every((name) => parts.includes(name)) ? 'told as asked' : 'nobody waits');
};
const failed = outcome('told as asked');
const deps = (change: Partial<ShrinkDeps> = {}): ShrinkDeps => ({
  run,
  elapsed: () => 0,
  ...change,
});

describe('shrink', () => {
  it('leaves out all parts and relays that the violation does not need', async () => {
    const { stoppedAt, ...shrunk } = await shrink(plan, failed, deps());
    assert.deepEqual(partsOf(shrunk.plan).sort(), [...NEEDED].sort());
    assert.deepEqual([shrunk.plan.relays, stoppedAt], [1, null]);
    assert.ok(shrunk.runs <= MAX_RUNS);
    assert.equal(shrunk.outcome.violation?.invariant, 'told as asked');
  });

  it('leaves out what comes after the violation first', async () => {
    const at = plan.customers.map((customer) => customer.at).sort((a, b) => a - b)[50] ?? 0;
    const plans: WorldPlan[] = [];
    const early = { ...failed, violation: { invariant: 'told as asked', text: 't', at } } as const;
    const noting = async (smaller: WorldPlan) => {
      plans.push(smaller);
      return outcome(null);
    };
    const { plan: unchanged } = await shrink(plan, early, deps({ run: noting }));
    const times = [...(plans[0]?.customers ?? []), ...(plans[0]?.faults ?? [])];
    assert.ok(times.every((part) => part.at <= at));
    assert.equal(unchanged, plan);
  });

  for (const [stoppedAt, slow] of [
    ['time', { msPerRun: MAX_MS / 5, runs: 6 }],
    ['runs', { msPerRun: 0, runs: MAX_RUNS }],
  ] as const)
    it(`says that it stopped when it reached its limit of ${stoppedAt}`, async () => {
      let ran = 0;
      const never = async (): Promise<Outcome> => {
        ran++;
        return outcome(null);
      };
      const elapsed = (): number => ran * slow.msPerRun;
      const shrunk = await shrink(plan, failed, deps({ run: never, elapsed }));
      assert.deepEqual([shrunk.stoppedAt, shrunk.runs, ran], [stoppedAt, slow.runs, slow.runs]);
      const lines = shrunkLines(
        { longWorlds: false, worldsFor: null, size: { days: 0.1, relays: null } },
        shrunk,
      );
      assert.ok(lines.some((line) => /^stopped after .*: a smaller world may fail/.test(line)));
    });
});
