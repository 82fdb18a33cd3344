/** How long each query of a page waits at the relay; the clock of the test makes no real wait. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sampleOrder } from '../../../../demo/sample-answers.js';
import { MINUTE_MS } from '../../../../relay/contract/durations.js';
import type { Page } from '../../../../widget/browser/page.js';
import { firstWait, followOrder } from '../../../../widget/checkout/follow-order.js';
import type { ProblemCode } from '../../../../widget/problem.js';
import {
  createRelayClient,
  RelayFailure,
  type RelayClient,
} from '../../../../widget/relay-client.js';
import { timing } from '../../../../widget/timing.js';
import { ownTiming } from '../../support/own-timing.js';

const { random } = Math;
const page: Page = { hidden: () => false, onPageChange: () => () => {}, takeTurn: () => {} };
const order = sampleOrder(0, {});

/** The end of a query: after how many seconds, and the failure, if it was one. */
type End = readonly [seconds: number, code?: ProblemCode];

type Followed = {
  waits: number[];
  askedAtMs: number[];
  /** The times without a query, in milliseconds. */
  pauses: number[];
  /** Whether the customer was told that the page cannot learn about the payment. */
  blind: boolean;
  /** How often. */
  reports: number;
};

/** Replaces the clock and the timers, and returns a function that lets the next timer run. */
function nextTimer(): () => Promise<void> {
  let clockMs = 0;
  const due = new Map<() => void, number>();
  timing.nowMs = () => clockMs;
  timing.after = (ms, run) => {
    const call = (): void => run();
    due.set(call, clockMs + ms);
    return () => due.delete(call);
  };
  return async () => {
    await new Promise(setImmediate);
    const [first] = [...due].sort(([, oneMs], [, otherMs]) => oneMs - otherMs);
    if (!first) return;
    clockMs = first[1];
    due.delete(first[0]);
    first[0]();
  };
}

/** Follows an order whose queries end so, one after the other. */
async function follow(ends: readonly (End | 'whole')[], wait = firstWait()): Promise<Followed> {
  const stop = new AbortController();
  const followed: Followed = { waits: [], askedAtMs: [], pauses: [], blind: false, reports: 0 };
  const runNext = nextTimer();
  let endedAtMs = 0;
  const query: RelayClient['query'] = async (known, waitS) => {
    followed.waits.push(waitS);
    followed.askedAtMs.push(timing.nowMs());
    if (timing.nowMs() > endedAtMs) followed.pauses.push(timing.nowMs() - endedAtMs);
    const end = ends[followed.waits.length - 1];
    if (end === undefined) {
      stop.abort();
      return known;
    }
    const [seconds, code] = end === 'whole' ? [waitS] : end;
    await new Promise<void>((resolve) => timing.after(seconds * 1000, resolve));
    endedAtMs = timing.nowMs();
    if (code !== undefined) throw new RelayFailure(code, 'm');
    return known;
  };
  const following = followOrder({
    client: { ...createRelayClient('https://shop.example/pay'), query },
    page,
    order,
    signal: stop.signal,
    wait,
    onOrder: () => {},
    onBlind: (blind) => {
      followed.blind ||= blind;
      followed.reports += Number(blind);
    },
  });
  while (!stop.signal.aborted) await runNext();
  await following;
  return followed;
}

/** A proxy cuts each query after this time. */
const cutAfter = (seconds: number, waits: readonly number[]): End[] =>
  waits.map((waitS) => (waitS > seconds ? [seconds, 'relay_unreachable'] : [waitS || 0.1]));

describe('an outage', () => {
  ownTiming();

  it('is reported by each failure from the third on, because a check ends the notice', async () => {
    const ends = Array.from({ length: 8 }, (): End => [0.1, 'relay_unreachable']);
    // once more when the relay has not answered for a while
    assert.equal((await follow(ends)).reports, 6 + 1);
  });
});

describe('the wait of a page', () => {
  ownTiming();
  beforeEach(() => {
    Math.random = () => 0.5;
  });
  afterEach(() => {
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
    ['an answer that was due before', [50, 'relay_unreachable']],
  ] as const)
    it(`does not take ${what} for a cut`, async () => {
      const { pauses, waits } = await follow(['whole', end, [0.1], 'whole']);
      assert.deepEqual(
        [waits, pauses],
        [
          [25, 50, 0, 50, 50],
          [1000, 1000],
        ],
      );
    });

  it('is left out once after a failure, so that the customer is told of nothing', async () => {
    const { blind, waits } = await follow([
      'whole',
      [0.5, 'relay_unreachable'],
      [0.1],
      'whole',
      'whole',
    ]);
    assert.deepEqual([waits, blind], [[25, 50, 0, 25, 50, 50], false]);
  });

  it('becomes shorter until a proxy that cuts within ten seconds lets it pass', async () => {
    for (const [seconds, expected] of [
      [9.5, [25, 0, 12.5, 0, 6.25, 6.25]],
      [5, [25, 0, 12.5, 0, 6.25, 0, 3.125, 3.125]],
    ] as const) {
      const { blind, waits } = await follow(cutAfter(seconds, expected));
      assert.deepEqual([waits.slice(0, -1), blind], [expected, false]);
    }
  });

  it('of another order of the page stays below the cut', async () => {
    const wait = firstWait();
    await follow(['whole', [30, 'relay_unreachable']], wait);
    const { waits } = await follow(['whole'], wait);
    assert.deepEqual(waits, [25, 25]);
  });

  for (const [what, cut, most] of [
    ['whole', [], 14],
    ['cut after 30 s', [[30, 'relay_unreachable']], 26],
  ] as const)
    it(`makes at most ${most} requests in ten minutes when waits are ${what}`, async () => {
      const { askedAtMs } = await follow(['whole', ...cut, ...Array<'whole'>(30).fill('whole')]);
      const asked = askedAtMs.filter((at) => at < 10 * MINUTE_MS).length;
      assert.ok(asked <= most && askedAtMs.length > asked, `${asked} requests`);
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

describe('a page that comes back', () => {
  ownTiming();

  it('ends a wait that has lasted a second, and gets an answer at once', async () => {
    let change = (_: { type: string }): void => {};
    let clockMs = 0;
    timing.nowMs = () => clockMs;
    const waits: number[] = [];
    const stop = new AbortController();
    const following = followOrder({
      client: {
        ...createRelayClient('https://shop.example/pay'),
        query: (_known, waitS, signal) => {
          waits.push(waitS);
          return new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('aborted'))),
          );
        },
      },
      page: {
        ...page,
        onPageChange: (callback) => {
          change = callback;
          return () => {};
        },
      },
      order,
      signal: stop.signal,
      wait: firstWait(),
      onOrder: () => {},
      onBlind: () => {},
    });
    for (const [atMs, type, expected] of [
      [999, 'focus', [25]],
      [1000, 'offline', [25]],
      [1000, 'focus', [25, 0]],
      // A request without a wait has its own end.
      [9000, 'focus', [25, 0]],
    ] as const) {
      clockMs = atMs;
      change({ type });
      await new Promise(setImmediate);
      assert.deepEqual(waits, expected, `after ${atMs} ms`);
    }
    stop.abort();
    await following;
  });
});
