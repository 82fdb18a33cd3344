/** An order whose QR code charges something else is put in review, and its code is withheld. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { payeeOf, withCheckedCode } from '../../../../relay/orders/checked-code.js';
import { shopCode } from '../../support/merchant-codes.js';
import { config } from '../intent/signed-token.js';
import { fresh } from './fresh-order.js';

const { options } = config;
const DOLLARS = shopCode('12.50');
const WRONG = shopCode('99.50');
const BAHT = shopCode('440.00', '764');

const showing = (qrcode_string: string, change: Partial<OrderRow> = {}): OrderRow => ({
  ...fresh,
  next_action: { kind: 'scan_qr', qrcode_string },
  ...change,
});
const review = (order: OrderRow): unknown[] => {
  const { next_action, outcome, review_reason, ...rest } = withCheckedCode(order, options);
  const { next_action: _action, outcome: _outcome, review_reason: _reason, ...others } = order;
  assert.deepEqual(rest, others);
  return [outcome, review_reason, next_action];
};

describe('withCheckedCode', () => {
  for (const [what, order] of [
    ['charges the order', showing(DOLLARS)],
    ['has another form', showing('https://qr.example/1')],
    ['is absent', { ...fresh, next_action: { kind: 'wait' } }],
  ] satisfies [string, OrderRow][])
    it(`leaves an order as it is when its code ${what}`, () =>
      assert.equal(withCheckedCode(order, options), order));

  it('puts an order in review and withholds its code when the code is wrong', () =>
    assert.deepEqual(review(showing(WRONG)), ['review', 'code_mismatch', null]));

  it('keeps the reason of a review that the order has', () =>
    assert.deepEqual(review(showing(WRONG, { outcome: 'review', review_reason: 'by_table' })), [
      'review',
      'by_table',
      null,
    ]));

  it('withholds the wrong code of a paid order, and puts no paid order in review', () =>
    assert.deepEqual(review(showing(WRONG, { outcome: 'succeeded' })), ['succeeded', null, null]));
});

describe('the currency that a code is compared with', () => {
  const old = { pay_currency: null, option: 'baht' } as const;
  const withBaht = [...options, { ...options[0]!, id: 'baht', pay_currency: 'THB' }];
  const outcome = (order: OrderRow): string => withCheckedCode(order, withBaht).outcome;

  it('takes the currency that the order has stored', () => {
    assert.equal(outcome(showing(BAHT, { pay_currency: 'THB', option: 'qr' })), 'pending');
    assert.equal(outcome(showing(DOLLARS, { pay_currency: 'THB', option: 'qr' })), 'review');
  });

  it('takes its option’s currency when an older relay stored none', () => {
    assert.equal(outcome(showing(BAHT, old)), 'pending');
    assert.equal(outcome(showing(DOLLARS, old)), 'review');
  });

  it('takes its own currency when its option has none, or is no longer configured', () => {
    for (const option of ['qr', 'gone']) {
      assert.equal(outcome(showing(DOLLARS, { ...old, option })), 'pending');
      assert.equal(outcome(showing(BAHT, { ...old, option })), 'review');
    }
  });
});

describe('payeeOf', () => {
  it('returns the payee of a right code only', () => {
    assert.equal(payeeOf(showing(DOLLARS), options), 'BEAN AND LEAF LLC');
    assert.equal(payeeOf(showing(WRONG), options), null);
    assert.equal(payeeOf(showing('https://qr.example/1'), options), null);
    assert.equal(payeeOf({ ...fresh, next_action: { kind: 'wait' } }, options), null);
  });
});
