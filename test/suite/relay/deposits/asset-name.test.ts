/** The names that an asset to deposit may have; the service's document gives them no form. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWorld } from '../../support/world.js';

const refused = [' USDT', 'USDT ', 'US\u200bDT', 'USDT\n', '', 'U'.repeat(65)];

describe('the name of an asset', () => {
  for (const currency of ['USDT_TRC20', 'USDT (TRC20)', 'USDT:TRC20', 'BNB/BSC', 'U'.repeat(64)])
    it(`can be ${currency}`, async () => {
      const world = createWorld({ config: { deposits: [{ currency }] } });
      const asked = { currency, customer_ref_id: 'c1' };
      for (const _ of ['from the service', 'from the ledger']) {
        const { body, status } = await world.ask('/v1/deposit-address', asked);
        assert.equal(status, 200);
        assert.equal((body.deposit_address as { currency: string }).currency, currency);
      }
      assert.deepEqual(
        world.sandbox.calls.map(({ body }) => body),
        [asked],
      );
    });

  for (const currency of refused)
    it(`is not ${JSON.stringify(currency)}`, async () => {
      assert.throws(() => createWorld({ config: { deposits: [{ currency }] } }), /deposits\.0/);
      const asked = { currency, customer_ref_id: 'c1' };
      assert.equal((await createWorld().ask('/v1/deposit-address', asked)).status, 400);
    });
});
