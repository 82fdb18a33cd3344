/** Amounts have the same form everywhere, and none is rounded. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareDecimals } from '../../../../relay/contract/decimal.js';
import { moneyText } from '../../../../relay/contract/money-text.js';

/** The text of an amount with plain spaces in place of no-break spaces. */
const text = (amount: string, currency: string, locale: string): string =>
  moneyText(amount, currency, locale).replaceAll(/[\u00a0\u202f]/g, ' ');

describe('the text of an amount', () => {
  for (const [amount, currency, locale, expected] of [
    ['2640.00', 'RUB', 'en', '₽2,640.00'],
    ['2640', 'RUB', 'ru', '2 640,00 ₽'],
    ['48.5', 'EUR', 'de', '48,50 €'],
    ['12345678901.00', 'IDR', 'id', 'Rp 12.345.678.901'],
    ['1500.00', 'JPY', 'ja', '￥1,500'],
    ['12.50', 'PKR', 'en', 'PKR 12.50'],
    ['1250.50', 'IQD', 'en', 'IQD 1,250.50'],
    ['12.50', 'XAF', 'fr', '12,50 FCFA'],
    ['1.5', 'KWD', 'en', 'KWD 1.500'],
    ['12.5', 'PKR', 'en', 'PKR 12.50'],
    ['12.50', 'IDR', 'id', 'Rp 12,50'],
    // zeros after a fraction say nothing, and "12,500 €" would be read as twelve thousand
    ['19.90000000', 'USD', 'en', '$19.90'],
    ['12.500', 'EUR', 'de', '12,50 €'],
    ['1.125', 'USD', 'en', '$1.125'],
  ] as const)
    it(`writes an amount with the short symbol: ${expected}`, () =>
      assert.equal(text(amount, currency, locale), expected));

  it('makes no number of a text without digits', () => {
    assert.equal(text('(withheld)', 'USD', 'en'), '(withheld) USD');
    assert.equal(text('', 'USD', 'en'), '— USD');
  });

  for (const [currency, locale, expected] of [
    ['USD', 'en-US', '$1.00'],
    ['CAD', 'en-US', 'CA$1.00'],
    ['CAD', 'en-CA', '$1.00'],
    ['USD', 'en-CA', 'US$1.00'],
    ['MXN', 'es-MX', '$1.00'],
    ['IDR', 'en', 'IDR 1'],
    ['SEK', 'nb', '1,00 SEK'],
    ['NOK', 'nb', '1,00 kr'],
    ['CNY', 'zh', '¥1.00'],
    ['JPY', 'zh', 'JP¥1'],
  ] as const)
    it(`names the country of ${currency} in ${locale} where the symbol is shared`, () =>
      assert.equal(text('1', currency, locale), expected));

  for (const [amount, currency, expected] of [
    ['0.00012345', 'BTC', '0.00012345 BTC'],
    ['1000.500000', 'USDT', '1,000.500000 USDT'],
    ['1.000000000000000001', 'ETH', '1.000000000000000001 ETH'],
  ] as const)
    it(`writes number and ticker of a crypto asset: ${expected}`, () =>
      assert.equal(text(amount, currency, 'en'), expected));

  it('keeps every digit of an amount', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,17}\.\d{0,17}[1-9]$/);
    fc.assert(
      fc.property(digits, fc.constantFrom('USD', 'JPY', 'KWD', 'BTC', 'USDT'), (amount, currency) =>
        assert.equal(
          compareDecimals(moneyText(amount, currency, 'en').replaceAll(/[^\d.]/g, ''), amount),
          0,
        ),
      ),
    );
  });
});
