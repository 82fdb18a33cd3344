import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createHeadroom } from '../../../../relay/orders/polling/headroom.js';

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
    state.busy = 0.6;
    assert.equal(after(100), 500);
  });

  it('falls by a fifth in each tenth of a second while the process is busy', () => {
    const { after, state } = createRate(500);
    state.busy = 0.61;
    assert.deepEqual([after(100), after(100)].map(Math.round), [400, 320]);
  });

  it('measures once in a tenth of a second, however often it is asked', () => {
    const { after, state } = createRate(500);
    state.busy = 1;
    assert.deepEqual(
      [after(99), after(1), after(0), after(99)].map(Math.round),
      [500, 400, 400, 400],
    );
    assert.equal(state.measured, 1);
  });

  it('never falls below 20 a second, and rises again when the process has time', () => {
    const { after, state } = createRate(1000);
    state.busy = 1;
    for (let count = 0; count < 100; count++) after(100);
    assert.equal(after(100), 20);
    state.busy = 0.2;
    assert.deepEqual([after(100), after(100)].map(Math.round), [40, 60]);
    for (let count = 0; count < 100; count++) after(100);
    assert.equal(after(100), 1000);
  });

  it('leaves a small budget as it is', () => {
    const { after, state } = createRate(10);
    state.busy = 1;
    for (let count = 0; count < 10; count++) assert.equal(after(100), 10);
  });
});
