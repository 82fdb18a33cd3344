/** Each limit counts separately, over its own period. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { checkRate } from '../../../relay/http/rate.js';
import { memoryLimiter } from '../../../relay/node/limits.js';
import { SECRETS, testConfig } from '../../support/world.js';

describe('the limit of new intents', () => {
  it('refuses new intents of an address at its limit until the hour is over', async (t) => {
    t.mock.timers.enable({ apis: ['Date', 'setTimeout'] });
    const config = parseConfig(
      { ...testConfig, limits: { new_intents_per_ip_per_hour: 2 } },
      (reference) => ('env' in reference ? SECRETS[reference.env] : undefined),
    );
    const limiter = memoryLimiter(config);
    const take = (): Promise<string> =>
      checkRate(limiter, 'new_intent', '203.0.113.7').then(
        () => 'passed',
        (error: unknown) => String(error),
      );
    assert.deepEqual([await take(), await take()], ['passed', 'passed']);
    t.mock.timers.tick(3_500_000);
    assert.match(await take(), /ask again in an hour/);
    t.mock.timers.tick(110_000);
    assert.equal(await take(), 'passed');
    await checkRate(limiter, 'ip', '203.0.113.7');
  });
});
