/** The amounts that the Vendure plugin asks for. `npm run vendure` runs the rest of the plugin. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { amountOf } from '../../../../widget/vendure/amount.js';
import { checkOptions } from '../../../../widget/vendure/options.js';

describe('the amounts of the Vendure plugin', () => {
  it('writes the integers of Vendure as decimal text', () => {
    const texts = [1999, 100, 5, 0].map((amount) => amountOf(amount, 2, 'USD'));
    assert.deepEqual(texts, ['19.99', '1.00', '0.05', '0.00']);
    assert.equal(amountOf(9_007_199_254_740_991, 2, 'USD'), '90071992547409.91');
  });

  it('rounds to the places of a currency that has fewer than Vendure', () => {
    assert.equal(amountOf(199_000, 2, 'JPY'), '1990');
    assert.equal(amountOf(199_050, 2, 'JPY'), '1991');
    assert.equal(amountOf(49, 2, 'JPY'), '0');
  });

  it('keeps every place of Vendure when the currency has more, or is not known', () => {
    assert.equal(amountOf(1999, 2, 'BHD'), '19.99');
    assert.equal(amountOf(19_999, 3, 'BHD'), '19.999');
    assert.equal(amountOf(19_999, 4, 'USDT'), '1.9999');
  });
});

describe('the options of the Vendure plugin', () => {
  it('names each option that is missing or empty, and a mode that is a text', () => {
    const options = {
      relay: 'https://shop.example/pay',
      secretKey: 'sk_1',
      tokenKey: { kid: 'k1', secret: 's' },
      eventsSecret: 'whsec_1',
      productName: 'Order',
    };
    assert.equal(checkOptions(options), options);
    const wrong = { ...options, relay: '', tokenKey: { kid: 'k1', secret: '' } };
    assert.throws(() => checkOptions(wrong), /needs these options too: relay, tokenKey\.secret$/);
    assert.equal(checkOptions({ ...options, livemode: true }).livemode, true);
    const isText = { ...options, livemode: 'true' as unknown as boolean };
    assert.throws(() => checkOptions(isText), /livemode must be true or false/);
  });
});
