/** An order is placed again after the promised waits, with no real wait in the test. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Page } from '../../../../widget/browser/page.js';
import { timing } from '../../../../widget/timing.js';
import { placeOrder } from '../../../../widget/checkout/place-order.js';
import { RelayFailure } from '../../../../widget/relay-client.js';
import type { ProblemCode } from '../../../../widget/problem.js';

const { after, nowMs } = timing;
const page: Page = { hidden: () => false, onPageChange: () => () => {}, takeTurn: () => {} };

/** Fails as often as asked on a clock of its own, and returns the waits before each further try. */
async function tryToPlace(code: ProblemCode, tryTakesMs = 0): Promise<number[]> {
  const waits: number[] = [];
  let clockMs = 0;
  timing.nowMs = () => clockMs;
  timing.after = (ms, run) => {
    waits.push(ms);
    clockMs += ms;
    queueMicrotask(run);
    return () => {};
  };
  const pay = (): Promise<never> => {
    clockMs += tryTakesMs;
    return Promise.reject(new RelayFailure(code, 'm'));
  };
  await assert.rejects(placeOrder(pay, page, new AbortController().signal), { code });
  return waits;
}

describe('placeOrder', () => {
  afterEach(() => Object.assign(timing, { after, nowMs }));

  it('tries again after 2, 4 and 8 seconds when the failure may pass', async () => {
    for (const code of ['relay_unreachable', 'service_unavailable'] as const)
      assert.deepEqual(await tryToPlace(code), [2000, 4000, 8000], code);
  });

  it('tries once when the same request would fail again', async () => {
    assert.deepEqual(await tryToPlace('token_expired'), []);
  });

  it('stops after half a minute when each try takes long to fail', async () => {
    assert.deepEqual(await tryToPlace('relay_unreachable', 16_000), [2000]);
  });
});
