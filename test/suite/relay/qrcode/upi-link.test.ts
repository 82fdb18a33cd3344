/** Links of UPI: what charges the order is shown, and nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkCode,
  noCodeRules,
  type Charge,
  type CheckedCode,
  type CodeRules,
} from '../../../../relay/qrcode/check-code.js';

const rupees: Charge = { amount: '12.50', currency: 'INR', payCurrency: 'INR' };
const verdict = (code: string, of: Charge, rules = noCodeRules): string =>
  checkCode(code, of, rules).verdict;
const payeeOf = (checked: CheckedCode): string | null =>
  'payee' in checked ? checked.payee : null;
const amountOf = (checked: CheckedCode): object | null =>
  checked.verdict === 'right' ? checked.codeAmount : null;

describe('a link of UPI', () => {
  const upi = (query: string): string => `upi://pay?pa=bean@okaxis&pn=Bean+and+Leaf&${query}`;

  it('is right with the order’s amount, and reads a plus sign as a space', () => {
    const checked = checkCode(upi('am=12.5&cu=INR&mam=null'), rupees, noCodeRules);
    assert.equal(payeeOf(checked), 'Bean and Leaf');
    for (const link of [
      upi('am=12.50'),
      upi('am=12.50&mam=12.5'),
      upi('am=12.50&mam=0'),
      upi('am=12.50&mam=NULL'),
      upi('am=12.50&mam=0.00&cu=INR'),
      upi('am=12.50&tn=a&tn=b&tr=100%'),
      'upi://pay?pa=bean@okaxis&am=12.50&pn=Shop #1',
      upi('am=12.50&tn=Order 1; thanks'),
      upi('tn=All well?&am=12.50'),
      upi('am=12.50').replace('+and+', ' &amp; '),
      upi('am=12.50&featuretype=money_transfer').replace('upi://pay', 'paytmmp://cash_wallet'),
      upi('am=12.50').replace('pn=Bean+and+Leaf', 'pn=50% off'),
      upi('am=12.50&cu=INR').replace('upi:', 'phonepe:'),
      upi('am=12.50').replace('upi://pay', 'tez://upi/pay'),
    ])
      assert.equal(verdict(link, rupees), 'right', link);
  });

  for (const [what, link] of [
    ['two amounts', upi('am=12.50&am=1')],
    ['two amounts, one with an escaped name', upi('am=12.50&%61m=1')],
    ['its amount in capitals', upi('AM=12.50')],
    ['its account in capitals', 'upi://pay?PA=bean@okaxis&am=12.50'],
    ['its currency in capitals', upi('am=12.50&CU=INR')],
    ['an amount in a list', upi('am[]=99')],
    ['an amount in a numbered list too', upi('am=12.50&am[0]=99')],
    ['two accounts', upi('am=12.50&pa=eve@bank')],
    ['two names', upi('am=12.50&pn=Eve')],
    ['another minimum behind a fragment', upi('am=12.50&tn=a#&mam=1')],
    ['its amount behind a fragment', upi('tn=a#&am=12.50')],
    ['its amount behind a semicolon', upi('tn=a;am=12.50')],
    ['another amount behind a question mark', upi('am=12.50&tn=a?am=99')],
    ['another name before a semicolon', upi('am;x=1&am=12.50')],
    ['its account behind a semicolon', 'upi://pay?am=12.50&tn=a;pa=bean@okaxis'],
    ['another name behind a semicolon', upi('am=12.50&tn=a;pn=Eve')],
    ['an amount that is badly escaped', upi('am=12.50%')],
    ['an amount in a fragment', upi('am=12.50#1')],
    ['an exponent', upi('am=1.25e1')],
    ['a comma', upi('am=12,50')],
    ['the amount 0', upi('am=0')],
    ['a sign', upi('am=+12.50')],
    ['another minimum', upi('am=12.50&mam=1')],
    ...['1', '1,000', '1e2', '-5', 'junk'].map(
      (minimum) => [`the minimum ${minimum} without an amount`, upi(`mam=${minimum}`)] as const,
    ),
    ['another currency', upi('am=12.50&cu=USD')],
    ['no account', 'upi://pay?pn=Bean&am=12.50'],
    ['a mandate', upi('am=12.50').replace('pay', 'mandate')],
    ['the form of an intent', `intent://pay?pa=a@b&am=12.50#Intent;scheme=upi;end`],
    ['that form behind a note', `intent://pay?pa=a@b&am=12.50&tn=#Intent;scheme=upi;end`],
    ['a line break in the name of its amount', upi('a\r\nm=99')],
    ['an invisible character', upi('am=12.50&tn=x\u200by')],
  ] as const)
    it(`is wrong when it has ${what}`, () => assert.equal(verdict(link, rupees), 'wrong', link));

  it('proves no amount when a tip or a fee may be added to it', () => {
    const required: CodeRules = { check: 'required', payees: [] };
    for (const more of ['enTips=Y', 'split=CONFEE:99.00', 'split=CONPCT:5']) {
      const link = upi(`am=12.50&${more}`);
      assert.equal(verdict(link, rupees), 'right', more);
      assert.equal(verdict(link, rupees, required), 'wrong', more);
      assert.equal(verdict(upi(`am=12&${more}`), rupees), 'wrong', more);
    }
    assert.equal(verdict(upi('am=12.50&enTips=N'), rupees, required), 'right');
  });

  it('asks for the amount when it has none', () => {
    for (const link of [upi('cu=INR'), upi('am=&cu=INR')])
      assert.deepEqual(amountOf(checkCode(link, rupees, noCodeRules)), { currency: 'INR' });
  });

  it('is of this form in an app’s scheme as soon as it names an account', () => {
    const rules: CodeRules = { check: 'when_known', payees: ['account:bean@okaxis'] };
    for (const query of ['pa=eve@bank', 'pa=eve@bank&tn=x', 'p%61=eve%40bank'])
      assert.deepEqual(checkCode(`phonepe://pay?${query}`, rupees, rules), {
        verdict: 'another_payee',
        payee: 'eve@bank',
      });
    assert.equal(verdict('phonepe://pay?%50A=eve@bank', rupees, rules), 'wrong');
    assert.equal(verdict('phonepe://pay?pa=bean@okaxis', rupees, rules), 'right');
  });

  it('leaves another link with an account alone', () => {
    for (const link of [
      ...['https://shop.example/?pa=a@b&am=99', 'mailto:a@b.example?pa=1'],
      'bank://open?to=https%3A%2F%2Fshop.example%2F%3Fpa%3Da%40b',
    ])
      assert.equal(verdict(link, rupees), 'unknown', link);
  });
});
