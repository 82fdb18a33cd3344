/** Each limit counts separately, over its own period of elapsed time. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { checkRate } from '../../../../relay/http/rate.js';
import { memoryLimiter } from '../../../../relay/node/limits.js';
import { createUseCounter } from '../../../../relay/node/use-counter.js';
import { readSecret, testConfig } from '../../support/world.js';

const HOUR_MS = 3_600_000;

/** Allows two new intents an hour. */
function twoIntentsAnHour(elapsed: () => number) {
  const { limits } = parseConfig(
    { ...testConfig, limits: { new_intents_per_ip_per_hour: 2 } },
    readSecret,
  );
  const limiter = memoryLimiter(() => limits, elapsed);
  return {
    limiter,
    take: (): Promise<string> =>
      checkRate(limiter, 'new_intent', '203.0.113.7').then(
        () => 'passed',
        (error: unknown) => String(error),
      ),
  };
}

describe('the limit of new intents', () => {
  it('refuses new intents of an address at its limit until the hour is over', async () => {
    let now = 0;
    const { limiter, take } = twoIntentsAnHour(() => now);
    assert.deepEqual([await take(), await take()], ['passed', 'passed']);
    now = HOUR_MS - 1;
    assert.match(await take(), /ask again in an hour/);
    now = HOUR_MS;
    assert.equal(await take(), 'passed');
    await checkRate(limiter, 'ip', '203.0.113.7');
  });
});

describe('a counter of uses', () => {
  it('counts each key from its own first use', () => {
    let now = 0;
    const uses = createUseCounter(1000, () => now);
    assert.deepEqual([uses.add('a'), uses.add('a')], [1, 2]);
    now = 600;
    assert.deepEqual([uses.add('b'), uses.count('a')], [1, 2]);
    now = 1000;
    assert.deepEqual([uses.count('a'), uses.count('b')], [0, 1]);
    now = 1600;
    assert.deepEqual([uses.add('a'), uses.add('b')], [1, 1]);
  });

  it('forgets the keys whose periods end first when there are too many', () => {
    const uses = createUseCounter(1000, () => 0, 2);
    for (const key of ['a', 'b', 'c']) uses.add(key);
    assert.deepEqual(['a', 'b', 'c'].map(uses.count), [0, 1, 1]);
  });
});
