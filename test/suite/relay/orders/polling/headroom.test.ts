import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHeadroom } from '../../../../../relay/orders/polling/budget.js';

type Process = { elapsed: number; busy: number; measured: number };

/** The rate of scheduled queries of a process whose time and load the test sets. */
function createRate(perSecond: number): { state: Process; after(ms: number): number } {
  const state: Process = { elapsed: 0, busy: 0, measured: 0 };
  const rate = createHeadroom({
    perSecond: () => perSecond,
    elapsed: () => state.elapsed,
    busy: () => {
      state.measured++;
      return state.busy;
    },
  });
  return {
    state,
    after: (ms) => {
      state.elapsed += ms;
      return rate();
    },
  };
}

describe('the rate of scheduled queries', () => {
  it('is the budget while the process is not busy', () => {
    const { after, state } = createRate(500);
    assert.equal(after(0), 500);
    state.busy = 0.85;
    assert.equal(after(1000), 500);
  });

  it('falls in proportion to the time that the process lacks, once a second', () => {
    const { after, state } = createRate(500);
    state.busy = 0.95;
    assert.deepEqual([after(1000), after(1000)].map(Math.round), [447, 400]);
    state.busy = 1;
    assert.equal(Math.round(after(1000)), 340);
  });

  it('measures once a second, however often it is asked', () => {
    const { after, state } = createRate(500);
    state.busy = 1;
    assert.deepEqual(
      [after(999), after(1), after(0), after(999)].map(Math.round),
      [500, 425, 425, 425],
    );
    assert.equal(state.measured, 1);
  });

  it('settles where the process is as busy as it should be', () => {
    const { after, state } = createRate(1000);
    for (let count = 0, rate = 1000; count < 100; count++) {
      // other work needs 45 % of the time, and 100 scheduled queries a second need 10 %
      state.busy = 0.45 + rate / 1000;
      rate = after(1000);
    }
    assert.equal(Math.round(after(0)), 400);
  });

  it('never falls below 20 a second, and rises again when the process has time', () => {
    const { after, state } = createRate(1000);
    state.busy = 1;
    for (let count = 0; count < 100; count++) after(1000);
    assert.equal(after(1000), 20);
    state.busy = 0.2;
    assert.deepEqual([after(1000), after(1000)].map(Math.round), [25, 31]);
    for (let count = 0; count < 100; count++) after(1000);
    assert.equal(after(1000), 1000);
  });

  it('leaves a small budget as it is', () => {
    const { after, state } = createRate(10);
    state.busy = 1;
    for (let count = 0; count < 10; count++) assert.equal(after(1000), 10);
  });
});
