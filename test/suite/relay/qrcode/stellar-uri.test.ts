/** Links of Stellar: what charges the order is shown, and nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkCode, noCodeRules, type Charge } from '../../../../relay/qrcode/check-code.js';

const charge = (amount: string, currency: string, payCurrency = currency): Charge => ({
  amount,
  currency,
  payCurrency,
});
const verdict = (code: string, of: Charge): string => checkCode(code, of, noCodeRules).verdict;
const amountOf = (code: string, of: Charge): object | null => {
  const checked = checkCode(code, of, noCodeRules);
  assert.equal(checked.verdict, 'right', code);
  return 'codeAmount' in checked ? checked.codeAmount : null;
};

const STELLAR = 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO';
const stellar = (query: string): string => `web+stellar:pay?destination=${STELLAR}&${query}`;

describe('a payment of Stellar', () => {
  it('is compared when it names its asset', () => {
    const usdc = stellar('amount=999&asset_code=USDC&asset_issuer=G');
    assert.equal(verdict(usdc, charge('999', 'USDC')), 'right');
    assert.equal(verdict(usdc, charge('1', 'USDC')), 'wrong');
    assert.equal(verdict(usdc, charge('999', 'USDT')), 'wrong');
    assert.equal(verdict(usdc, charge('999', 'EUR')), 'wrong');
    assert.deepEqual(amountOf(usdc, charge('100', 'RUB', 'USDC_XLM')), {
      amount: '999',
      currency: 'USDC',
    });
    assert.equal(verdict(stellar('amount=1&asset_code=XLM'), charge('1', 'XLM')), 'right');
    assert.equal(verdict(stellar('amount=999&asset_code=XLM'), charge('1', 'XLM')), 'wrong');
  });

  it('is wrong on another network, with a token of no issuer, or with names in capitals', () => {
    const passphrase = (text: string): string =>
      stellar(`amount=1&network_passphrase=${encodeURIComponent(text)}`);
    const lumens = charge('1', 'XLM');
    const own = passphrase('Public Global Stellar Network ; September 2015');
    assert.equal(verdict(own, lumens), 'right');
    assert.equal(verdict(passphrase('Test SDF Network ; September 2015'), lumens), 'wrong');
    for (const query of [
      'amount=1&asset_code=USDC',
      'amount=1&ASSET_CODE=USDC&ASSET_ISSUER=G',
      'amount=1&msg=a;asset_code=USDC;asset_issuer=G',
    ])
      assert.equal(verdict(stellar(query), charge('1', 'USDC')), 'wrong', query);
    assert.equal(verdict(stellar('amount=1&MEMO=7'), lumens), 'wrong');
  });

  it('is wrong with a memo that no payment can have', () => {
    const lumens = charge('1', 'XLM');
    for (const [memo, checked] of [
      [`memo=${'a'.repeat(28)}`, 'right'],
      ['memo=18446744073709551615&memo_type=MEMO_ID', 'right'],
      [`memo=${'A'.repeat(43)}%3D&memo_type=MEMO_HASH`, 'right'],
      [`memo=${'a'.repeat(29)}`, 'wrong'],
      [`memo=${'%C3%A9'.repeat(15)}&memo_type=MEMO_TEXT`, 'wrong'],
      ['memo=18446744073709551616&memo_type=MEMO_ID', 'wrong'],
      ['memo=&memo_type=MEMO_ID', 'wrong'],
      ['memo=Ab3&memo_type=MEMO_ID', 'wrong'],
    ] as const)
      assert.equal(verdict(stellar(`amount=1&${memo}`), lumens), checked, memo);
  });

  it('is wrong when its token has the name of a coin or a currency that the order charges', () => {
    for (const [name, currency] of [
      ['EUR', 'EUR'],
      ['BTC', 'BTC'],
      ['XLM', 'XLM'],
    ] as const) {
      const code = stellar(`amount=1&asset_code=${name}&asset_issuer=G`);
      assert.equal(verdict(code, charge('1', currency)), 'wrong', name);
    }
  });
});
