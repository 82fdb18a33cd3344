/** The rows of orders that a restored ledger lost. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { orderOfEchoes } from '../../../../../relay/orders/restored/lost-order.js';
import { fresh } from '../fresh-order.js';

const identity = { request_id: 'r2', intent_id: 'i2', ordinal: 2, created_at: 5, aged_from: 6 };

describe('the row of an order whose intent was lost too', () => {
  it('builds the order from the service’s echoes', () =>
    assert.deepEqual(
      orderOfEchoes(identity, 'open', { status: 11, currency: 'USD', order_amount: '12.50' }),
      {
        ...fresh,
        ...identity,
        option: '',
        pay_currency: 'USD',
        open_amount: true,
        // its request had customer data for all that is known, so it must not be sent again
        had_customer: true,
        next_check_at: null,
      },
    ));

  it('marks an amount as the customer’s choice only when the mode is open', () => {
    for (const mode of ['token', 'catalogue'] as const)
      assert.equal(orderOfEchoes(identity, mode, { status: 11 }).open_amount, false);
  });

  for (const [what, answer] of [
    ['absent', { status: 11 }],
    ['unusable', { status: 11, currency: 'US dollars', order_amount: 'free' }],
  ] as const)
    it(`leaves amount and currency empty when the echoes are ${what}`, () => {
      const { amount, currency } = orderOfEchoes(identity, 'token', answer);
      assert.deepEqual([amount, currency], ['', '']);
    });
});
