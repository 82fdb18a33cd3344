/** Which echoes the ledger stores: amount and currency, as the service repeats them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { echoedBy } from '../../../relay/orders/echoes.js';
import { fresh } from './fresh-order.js';

it('keeps an echo unchanged when it has the form of an amount or of a currency code', () => {
  assert.deepEqual(echoedBy(fresh, { order_amount: '1.00', currency: 'USDT_TRC20' }), {
    echoed_amount: '1.00',
    echoed_currency: 'USDT_TRC20',
  });
});

it('withholds an echo that is neither an amount nor a currency code', () => {
  const echoes = { order_amount: 'a@shop.example', currency: 'Ann Example, +7 900 000-00-00' };
  assert.deepEqual(echoedBy(fresh, echoes), {
    echoed_amount: '(withheld)',
    echoed_currency: '(withheld)',
  });
});

it('keeps the last echo when an answer has none', () => {
  const known = { ...fresh, echoed_amount: '1.00', echoed_currency: 'EUR' };
  assert.deepEqual(echoedBy(known, {}), { echoed_amount: '1.00', echoed_currency: 'EUR' });
});
