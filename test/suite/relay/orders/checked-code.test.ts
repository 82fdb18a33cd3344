/** Whether an order's QR code charges something else, and which payee it names. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { hasWrongCode, payeeOf } from '../../../../relay/orders/checked-code.js';
import { shopCode } from '../../support/merchant-codes.js';
import { fresh } from './fresh-order.js';

const DOLLARS = shopCode('12.50');
const WRONG = shopCode('99.50');
const BAHT = shopCode('440.00', '764');

const showing = (qrcode_string: string, change: Partial<OrderRow> = {}): OrderRow => ({
  ...fresh,
  next_action: { kind: 'scan_qr', qrcode_string },
  ...change,
});

describe('hasWrongCode', () => {
  for (const [what, order, expected] of [
    ['charges the order', showing(DOLLARS), false],
    ['has another form', showing('https://qr.example/1'), false],
    ['is absent', { ...fresh, next_action: { kind: 'wait' } }, false],
    ['charges another amount', showing(WRONG), true],
    ['charges another currency', showing(BAHT), true],
    ['charges the currency of the payment', showing(BAHT, { pay_currency: 'THB' }), false],
    [
      'does not charge the currency of the payment',
      showing(DOLLARS, { pay_currency: 'THB' }),
      true,
    ],
  ] satisfies [string, OrderRow, boolean][])
    it(`is ${expected} for an order whose code ${what}`, () =>
      assert.equal(hasWrongCode(order), expected));
});

describe('payeeOf', () => {
  it('returns the payee of a right code only', () => {
    assert.equal(payeeOf(showing(DOLLARS)), 'BEAN AND LEAF LLC');
    assert.equal(payeeOf(showing(WRONG)), null);
    assert.equal(payeeOf(showing('https://qr.example/1')), null);
    assert.equal(payeeOf({ ...fresh, next_action: { kind: 'wait' } }), null);
  });
});
