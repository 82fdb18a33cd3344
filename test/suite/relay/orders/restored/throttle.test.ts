/** Throttled work runs again for the same key only after a pause. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { throttleByKey } from '../../../../../relay/orders/restored/restored.js';
import { manualClock } from '../../../support/manual-clock.js';

describe('throttleByKey', () => {
  it('runs once for all calls of a key within the pause, and again when it is over', async () => {
    const clock = manualClock();
    const worked: string[] = [];
    const call = throttleByKey(async (key) => void worked.push(key), 1000, clock);
    await Promise.all([call('a'), call('a'), call('b')]);
    await clock.advance(999);
    await call('a');
    assert.deepEqual(worked, ['a', 'b']);
    await clock.advance(1);
    await call('a');
    assert.deepEqual(worked, ['a', 'b', 'a']);
  });

  it('keeps the pause of a later key when the pause of an earlier key is over', async () => {
    const clock = manualClock();
    const worked: string[] = [];
    const call = throttleByKey(async (key) => void worked.push(key), 1000, clock);
    await call('a');
    await clock.advance(500);
    await call('b');
    await clock.advance(500);
    for (const key of ['b', 'a']) await call(key);
    assert.deepEqual(worked, ['a', 'b', 'a']);
  });

  it('rejects every waiting call when the work fails, and runs at the next call', async () => {
    const clock = manualClock();
    let tries = 0;
    const call = throttleByKey(
      async () => {
        tries++;
        if (tries === 1) throw new Error('no answer');
      },
      1000,
      clock,
    );
    const both = await Promise.allSettled([call('a'), call('a')]);
    assert.deepEqual(
      both.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    await call('a');
    await call('a');
    assert.equal(tries, 2);
  });

  it('keeps the pause of a newer run when an older run fails late', async () => {
    const clock = manualClock();
    const fail: (() => void)[] = [];
    let tries = 0;
    const call = throttleByKey(
      () => {
        tries++;
        if (tries > 1) return Promise.resolve();
        return new Promise((_, reject) => fail.push(() => reject(new Error('late'))));
      },
      1000,
      clock,
    );
    const first = call('a');
    await clock.advance(1000);
    await call('a');
    fail[0]?.();
    await assert.rejects(first, /late/);
    await call('a');
    assert.equal(tries, 2);
  });
});
