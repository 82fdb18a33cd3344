/** The names of customers that a shop may give: alike in its token, a requested one, and a link. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { verifyOrderToken } from '../../../../relay/intent/order-token.js';
import { claims, config, sign } from '../intent/signed-token.js';
import { createShop } from './shop.js';

const SALE = { amount: '12.50', currency: 'USD', product_name: 'A tree' };

const names: readonly (readonly [name: unknown, isAccepted: boolean])[] = [
  ['auth0|507f1f77bcf86cd799439011', true],
  ['ivan@example.com', true],
  ['Иван Петров', true],
  ['/customers/42?shop=1', true],
  ['c'.repeat(500), true],
  ['c'.repeat(501), false],
  ['', false],
  ['c\u0000', false],
  ['\ud800', false],
  [42, false],
];

describe('the shop’s name of a customer', () => {
  for (const [customer_ref_id, isAccepted] of names) {
    const name = JSON.stringify(customer_ref_id).slice(0, 40);
    it(`${name} is ${isAccepted ? 'accepted' : 'refused'} on each road`, async () => {
      const { ask } = await createShop();
      const own = verifyOrderToken(config, await sign({ ...claims, customer_ref_id }));
      const sale = { ...SALE, customer_ref_id };
      const roads = await Promise.all([
        own.then(
          () => true,
          () => false,
        ),
        ask('/v1/order-tokens', sale).then(({ status }) => status === 200),
        ask('/v1/pay-links', { ...sale, expires_in: 60 }).then(({ status }) => status === 200),
      ]);
      assert.deepEqual(roads, [isAccepted, isAccepted, isAccepted]);
    });
  }

  it('reaches the order unchanged', async () => {
    const shop = await createShop();
    const customer_ref_id = 'auth0|507f1f77bcf86cd799439011';
    assert.equal((await shop.pay('order-001', { customer_ref_id })).status, 200);
    const { order } = (await shop.query('order-001')).body;
    assert.equal(
      (order as { customer_ref_id?: string } | undefined)?.customer_ref_id,
      customer_ref_id,
    );
  });
});
