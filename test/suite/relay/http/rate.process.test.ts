/** The limits count elapsed time: a step of the machine's clock gives nobody another try. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { checkRate } from '../../../../relay/http/rate.js';
import { memoryLimiter } from '../../../../relay/node/limits.js';
import { readSecret, testConfig } from '../../support/world.js';

const HOUR_MS = 3_600_000;

describe('the limit of new intents', () => {
  for (const [way, stepMs] of [
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ] as const)
    it(`goes on refusing an address when the wall clock steps ${way} an hour`, async (t) => {
      t.mock.timers.enable({ apis: ['Date'], now: 100 * HOUR_MS });
      const changes = { limits: { new_intents_per_ip_per_hour: 2 } };
      const { limits } = parseConfig({ ...testConfig, ...changes }, readSecret);
      const limiter = memoryLimiter(() => limits);
      const take = (): Promise<void> => checkRate(limiter, 'new_intent', '203.0.113.7');
      await take();
      await take();
      t.mock.timers.setTime(100 * HOUR_MS + stepMs);
      await assert.rejects(take(), /ask again in an hour/);
    });
});
