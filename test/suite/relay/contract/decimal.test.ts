/** Compares decimal strings with BigInt, and checks the grammar of an amount. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addDecimals,
  compareDecimals,
  isAmount,
  multiplyDecimal,
} from '../../../../relay/contract/decimal.js';

const decimal = fc
  .tuple(fc.bigInt(0n, 999_999_999_999n), fc.integer({ min: 0, max: 9 }))
  .map(([units, places]) => {
    const digits = units.toString().padStart(places + 1, '0');
    return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  });
const exact = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
};

describe('decimal', () => {
  it('compares, adds and multiplies decimals exactly', () => {
    fc.assert(
      fc.property(decimal, decimal, fc.integer({ min: 1, max: 9999 }), (a, b, times) => {
        assert.equal(
          compareDecimals(a, b),
          Number(exact(a) > exact(b)) - Number(exact(a) < exact(b)),
        );
        assert.equal(exact(addDecimals(a, b)), exact(a) + exact(b));
        assert.equal(exact(multiplyDecimal(a, times)), exact(a) * BigInt(times));
      }),
      { numRuns: 2000 },
    );
    assert.equal(multiplyDecimal('19.90', 3), '59.70');
    assert.equal(compareDecimals('12.5', '12.50'), 0);
  });

  it('accepts as amounts only decimals above zero', () => {
    for (const good of ['1', '0.01', '12.50', '999999999999999999.999999999999999999'])
      assert.ok(isAmount(good), good);
    for (const bad of [
      '0',
      '0.00',
      '-1',
      '+1',
      '1e3',
      '1,5',
      '1.',
      '.5',
      '01',
      ' 1',
      '1 ',
      '',
      '1'.repeat(19),
      'NaN',
      '٣',
    ])
      assert.ok(!isAmount(bad), bad);
  });
});
