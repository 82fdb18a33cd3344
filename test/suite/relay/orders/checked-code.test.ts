/** What the code of an order charges, compared with the order. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { checkedCode } from '../../../../relay/orders/checked-code.js';
import { noCodeRules } from '../../../../relay/qrcode/check-code.js';
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

describe('checkedCode', () => {
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
    it(`is ${expected ? 'wrong' : 'not wrong'} when the code of the order ${what}`, () =>
      assert.equal(checkedCode(order, noCodeRules).verdict === 'wrong', expected));

  it('has the payee of a right code', () =>
    assert.deepEqual(checkedCode(showing(DOLLARS), noCodeRules), {
      verdict: 'right',
      payee: 'BEAN AND LEAF LLC',
      codeAmount: null,
    }));
});
