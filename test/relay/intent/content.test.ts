/** The same identity with other content is a conflict: what belongs to the content of an intent. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../relay/config/parse-config.js';
import type { IntentRequest } from '../../../relay/contract/requests.js';
import { contentDigest } from '../../../relay/intent/order-intent.js';
import { readIntent } from '../../../relay/intent/read-intent.js';
import { openIntent, SECRETS, testConfig } from '../../support/world.js';

const config = parseConfig(
  {
    ...testConfig,
    catalogue: {
      ...testConfig.catalogue,
      mug: { amount: '19.90', currency: 'USD', product_name: 'T-shirt', max_quantity: 5 },
    },
  },
  (reference) => ('env' in reference ? SECRETS[reference.env] : undefined),
);
const digest = async (said: IntentRequest, intentId = 'web.one'): Promise<string> =>
  contentDigest(await readIntent(config, said, intentId));

describe('the content of a catalogue intent', () => {
  it('holds the quantity: two shirts under the attempt of one shirt are a conflict', async () => {
    assert.notEqual(
      await digest({ sku: 'tee', quantity: 1 }),
      await digest({ sku: 'tee', quantity: 2 }),
    );
    assert.equal(await digest({ sku: 'tee' }), await digest({ sku: 'tee', quantity: 1 }));
  });

  it('holds the sku and the customer, whatever the price and the name are', async () => {
    const tee = await digest({ sku: 'tee' });
    assert.notEqual(await digest({ sku: 'mug' }), tee);
    assert.notEqual(await digest({ sku: 'tee', customer_ref_id: 'c1' }), tee);
    assert.notEqual(await digest({ sku: 'tee' }, 'web.another'), tee);
  });
});

describe('the content of an open intent', () => {
  it('holds the amount, however it is spelled, and each text that is forwarded', async () => {
    const open = await digest(openIntent);
    assert.equal(await digest({ ...openIntent, amount: '12.5' }), open);
    const changes: IntentRequest[] = [
      { amount: '12.51' },
      { product_name: 'Another tree' },
      { customer_ref_id: 'c1' },
      { pay_currency: 'USDT' },
      { remark: 'a remark' },
    ];
    for (const change of changes) assert.notEqual(await digest({ ...openIntent, ...change }), open);
  });
});
