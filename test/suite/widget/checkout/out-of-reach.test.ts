/** A relay that cannot be reached, or hangs; the clock of the test makes no real wait. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sampleOrder } from '../../../../demo/sample-answers.js';
import type { Page } from '../../../../widget/browser/page.js';
import { firstWait, followOrder } from '../../../../widget/checkout/follow-order.js';
import { placeOrder } from '../../../../widget/checkout/place-order.js';
import type { ProblemCode } from '../../../../widget/problem.js';
import { createRelayClient, RelayFailure } from '../../../../widget/relay-client.js';
import { timing } from '../../../../widget/timing.js';
import { ownTiming } from '../../support/own-timing.js';

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
  ownTiming();

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

/** Replaces the clock and the timers, and returns a function that lets a second pass. */
function stepByStep(): () => Promise<void> {
  let clockMs = 0;
  const due = new Map<() => void, number>();
  timing.nowMs = () => clockMs;
  timing.after = (ms, run) => {
    const call = (): void => run();
    due.set(call, clockMs + ms);
    return () => due.delete(call);
  };
  return async () => {
    clockMs += 1000;
    for (let ran = true; ran;) {
      ran = false;
      for (const [run, atMs] of due) {
        if (atMs > clockMs || !due.delete(run)) continue;
        ran = true;
        run();
        await new Promise(setImmediate);
      }
    }
  };
}

/** The requests of this client are accepted and never answered. */
const client = createRelayClient(
  'https://shop.example/pay',
  (_url, { signal }) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(new TypeError('aborted'))),
    ),
);
const order = sampleOrder(0, {});
const pay = { option: 'qr', expect: { amount: '1', currency: 'USD' }, attempt: 'a' };

type Call = (signal: AbortSignal) => Promise<unknown>;
const CALLS: Record<string, Call> = {
  checkout: (signal) => client.checkout({ sku: 'tee' }, 'a', signal),
  resume: (signal) => client.resume(order, signal),
  pay: (signal) => client.pay({ sku: 'tee' }, pay, signal),
  depositAddress: (signal) => client.depositAddress({ currency: 'XRP' }, signal),
  query: (signal) => client.query(order, 0, signal),
};

describe('a relay that hangs', () => {
  ownTiming();

  for (const [name, call] of Object.entries(CALLS))
    it(`ends ${name} 15 seconds after it was called`, async () => {
      const aSecond = stepByStep();
      let code: unknown = 'waits';
      void call(new AbortController().signal).catch((error: unknown) => {
        code = error instanceof RelayFailure && error.code;
      });
      for (let second = 1; second < 15; second++) await aSecond();
      assert.equal(code, 'waits');
      await aSecond();
      assert.equal(code, 'relay_unreachable');
    });

  for (const [mayHold, dueS] of [
    [true, 25],
    [false, 0],
  ] as const)
    it(`tells a customer 15 s after the answer to a wait of ${dueS} s was due`, async () => {
      const aSecond = stepByStep();
      let passedS = 0;
      let blindAtS: number | null = null;
      const stop = new AbortController();
      const following = followOrder({
        client,
        page: { ...page, takeTurn: (_signal, onTurn) => onTurn(mayHold) },
        order,
        signal: stop.signal,
        wait: firstWait(),
        onOrder: () => {},
        onBlind: (blind) => {
          if (blind) blindAtS ??= passedS;
        },
      });
      while (blindAtS === null && passedS < 90) {
        passedS++;
        await aSecond();
      }
      stop.abort();
      await following;
      assert.equal(blindAtS, dueS + 15);
    });
});

describe('a relay that cannot ask the service', () => {
  ownTiming();

  it('tells the customer after three such answers, until one is of the service again', async () => {
    const aSecond = stepByStep();
    const asked: { passedS: number; waitS: number }[] = [];
    const told: { passedS: number; blind: boolean }[] = [];
    let passedS = 0;
    const stop = new AbortController();
    const following = followOrder({
      client: {
        ...client,
        query: (known, waitS) => {
          asked.push({ passedS, waitS });
          return Promise.resolve({ ...known, service_unreachable: passedS < 7 });
        },
      },
      page,
      order,
      signal: stop.signal,
      wait: firstWait(),
      onOrder: () => {},
      onBlind: (blind) => {
        if (blind !== (told.at(-1)?.blind ?? false)) told.push({ passedS, blind });
      },
    });
    for (; passedS < 8; passedS++) await aSecond();
    stop.abort();
    await following;
    assert.deepEqual(told, [
      { passedS: 3, blind: true },
      { passedS: 7, blind: false },
    ]);
    assert.deepEqual(
      asked.slice(0, 4).map(({ waitS }) => waitS),
      [25, 0, 0, 0],
    );
  });
});
