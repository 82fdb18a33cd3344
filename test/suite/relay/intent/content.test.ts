/** The digest of an intent's content: one identity with two contents is a conflict. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { OrderTokenRequest } from '../../../../relay/contract/backend-requests.js';
import type { IntentRequest } from '../../../../relay/contract/requests.js';
import { contentDigest } from '../../../../relay/intent/order-intent.js';
import { signOrderToken } from '../../../../relay/intent/sign-order-token.js';
import { readIntent } from '../../../../relay/intent/read-intent.js';
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
const digest = async (request: IntentRequest, intentId = 'web.one'): Promise<string> =>
  contentDigest(await readIntent(config, request, intentId));

const signedOrder: OrderTokenRequest = {
  amount: '12.50',
  currency: 'USD',
  product_name: 'A tree',
  customer_ref_id: 'c1',
  remark: 'r',
  jti: 'jti-one-1',
};

describe('the content of a catalogue intent', () => {
  it('gives a catalogue intent another digest when the quantity differs', async () => {
    assert.notEqual(
      await digest({ sku: 'tee', quantity: 1 }),
      await digest({ sku: 'tee', quantity: 2 }),
    );
    assert.equal(await digest({ sku: 'tee' }), await digest({ sku: 'tee', quantity: 1 }));
  });

  it('gives a catalogue intent another digest when sku or customer differs', async () => {
    const tee = await digest({ sku: 'tee' });
    assert.notEqual(await digest({ sku: 'mug' }), tee);
    assert.notEqual(await digest({ sku: 'tee', customer_ref_id: 'c1' }), tee);
    assert.notEqual(await digest({ sku: 'tee' }, 'web.another'), tee);
  });
});

describe('contentDigest', () => {
  it('gives these digests, which ledgers keep, so that a known intent is no conflict', async () => {
    const cases: [IntentRequest, string][] = [
      [{ sku: 'tee' }, 'a42541256340e234a07ec057d6f3017107fd26f58ce69899a2b7161494e9d3c5'],
      [openIntent, 'c22b405c2afcc38a30e011d8e58adf09aebf00f11f286f71d9ed1fcdc5b5718f'],
      [
        { ...openIntent, pay_currency: 'USDT', remark: 'a remark', customer_ref_id: 'c1' },
        '5ac68eb91d95f38e93ad70172e66e4db1602d064d3559571c49133fb20ac2cd1',
      ],
      [
        { order_token: (await signOrderToken(config, signedOrder, Date.now())).token },
        '7381f1d9cff1a0006eb92a051e83ea2f3cbae322f98672936f164e5c98702ed5',
      ],
    ];
    for (const [request, expected] of cases) assert.equal(await digest(request), expected);
  });
});

describe('the content of an open intent', () => {
  it('gives an open intent another digest when amount or forwarded text differs', async () => {
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
