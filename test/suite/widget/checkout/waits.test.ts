/** How long each query of a page waits at the relay; the clock of the test makes no real wait. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { sampleOrder } from '../../../../demo/sample-answers.js';
import type { Page } from '../../../../widget/browser/page.js';
import { followOrder } from '../../../../widget/checkout/follow-order.js';
import type { ProblemCode } from '../../../../widget/problem.js';
import {
  createRelayClient,
  RelayFailure,
  type RelayClient,
} from '../../../../widget/relay-client.js';
import { timing } from '../../../../widget/timing.js';

const { after, nowMs } = timing;
const { random } = Math;
const page: Page = { hidden: () => false, onPageChange: () => () => {}, takeTurn: () => {} };
const order = sampleOrder(0, {});

/** The end of a query: after how many seconds, and the failure, if it was one. */
type End = readonly [seconds: number, code?: ProblemCode];

type Followed = { waits: number[]; pauses: number[]; blind: boolean };

/** Follows an order whose queries end so, one after the other. */
async function follow(ends: readonly (End | 'whole')[]): Promise<Followed> {
  const stop = new AbortController();
  const followed: Followed = { waits: [], pauses: [], blind: false };
  let clockMs = 0;
  Math.random = () => 0.5;
  timing.nowMs = () => clockMs;
  timing.after = (ms, run) => {
    // a failure also starts the timer of the customer's notice, which this test does not need
    if (ms >= 15_000) return () => {};
    followed.pauses.push(ms);
    clockMs += ms;
    queueMicrotask(run);
    return () => {};
  };
  const query: RelayClient['query'] = async (known, waitS) => {
    followed.waits.push(waitS);
    const end = ends[followed.waits.length - 1];
    if (end === undefined) {
      stop.abort();
      return known;
    }
    const [seconds, code] = end === 'whole' ? [waitS] : end;
    clockMs += seconds * 1000;
    if (code !== undefined) throw new RelayFailure(code, 'm');
    return known;
  };
  await followOrder({
    client: { ...createRelayClient('https://shop.example/pay'), query },
    page,
    order,
    signal: stop.signal,
    onOrder: () => {},
    onBlind: (blind) => (followed.blind ||= blind),
  });
  return followed;
}

describe('the wait of a page', () => {
  afterEach(() => {
    Object.assign(timing, { after, nowMs });
    Math.random = random;
  });

  it('is 25 s at first, and about 50 s after a wait that came back whole', async () => {
    const { pauses, waits } = await follow(['whole', 'whole', 'whole']);
    assert.deepEqual([waits, pauses], [[25, 50, 50, 50], []]);
  });

  it('stays 5 s below the time after which something on the way cut it', async () => {
    const { blind, pauses, waits } = await follow([
      'whole',
      [30, 'relay_unreachable'],
      'whole',
      'whole',
    ]);
    assert.deepEqual(waits, [25, 50, 25, 25, 25]);
    assert.deepEqual([pauses, blind], [[], false]);
  });

  for (const [what, end] of [
    ['a refusal of the relay', [30, 'service_unavailable']],
    ['an end within ten seconds', [9, 'relay_unreachable']],
    ['an answer that was due before', [50, 'relay_unreachable']],
  ] as const)
    it(`does not take ${what} for a cut`, async () => {
      const { pauses, waits } = await follow(['whole', end]);
      assert.deepEqual([waits, pauses], [[25, 50, 50], [1000]]);
    });

  it('is not asked for in a tight loop when the relay does not wait', async () => {
    const { pauses, waits } = await follow([[0.1], [0.1]]);
    assert.deepEqual(
      [waits, pauses],
      [
        [25, 25, 25],
        [1000, 1000],
      ],
    );
  });
});
