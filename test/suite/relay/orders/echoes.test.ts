/** Which echoes of the service the ledger stores, and how they compare with the order. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compareEchoes, withNewEchoes } from '../../../../relay/orders/echoes.js';
import { fresh } from './fresh-order.js';

it('keeps an echo unchanged when it has the form of an amount or of a currency code', () => {
  assert.deepEqual(withNewEchoes(fresh, { order_amount: '1.00', currency: 'USDT_TRC20' }), {
    echoed_amount: '1.00',
    echoed_currency: 'USDT_TRC20',
  });
});

it('withholds an echo that is neither an amount nor a currency code', () => {
  const echoes = { order_amount: 'a@shop.example', currency: 'Ann Example, +7 900 000-00-00' };
  assert.deepEqual(withNewEchoes(fresh, echoes), {
    echoed_amount: '(withheld)',
    echoed_currency: '(withheld)',
  });
});

it('keeps the echo of the order’s own currency, whatever form that has', () => {
  const order = { ...fresh, currency: 'USDT (TRC20)' };
  const echoes = { order_amount: '12.5', currency: 'USDT (TRC20)' };
  assert.equal(withNewEchoes(order, echoes).echoed_currency, 'USDT (TRC20)');
});

it('keeps the last echo when an answer has none', () => {
  const known = { ...fresh, echoed_amount: '1.00', echoed_currency: 'EUR' };
  assert.deepEqual(withNewEchoes(known, {}), { echoed_amount: '1.00', echoed_currency: 'EUR' });
});

it('gives the reason for the first echo that differs, and for the first that is absent', () => {
  // the fields are compared in the order of this object
  const equal = { request_id: 'r1', currency: 'USD', order_amount: '12.5' };
  assert.deepEqual(compareEchoes(fresh, equal), { mismatch: null, absent: null });
  assert.deepEqual(compareEchoes(fresh, {}), { mismatch: null, absent: 'request_id_mismatch' });
  assert.deepEqual(compareEchoes(fresh, { ...equal, request_id: 'r2', currency: 'EUR' }), {
    mismatch: 'request_id_mismatch',
    absent: null,
  });
  assert.deepEqual(compareEchoes(fresh, { request_id: 'r1', order_amount: '1' }), {
    mismatch: 'amount_mismatch',
    absent: 'currency_mismatch',
  });
});

it('reads an amount with more zeros at its end than ours may have', () => {
  const echoed = (order_amount: string) => compareEchoes(fresh, { order_amount }).mismatch;
  const long = `12.5${'0'.repeat(30)}`;
  assert.equal(echoed(long), null);
  assert.equal(withNewEchoes(fresh, { order_amount: long }).echoed_amount, `12.5${'0'.repeat(17)}`);
  for (const other of [`${long}1`, `12.5.${'0'.repeat(20)}`, `+${long}`, `12.51${'0'.repeat(30)}`])
    assert.equal(echoed(other), 'amount_mismatch');
});
