/** Codes of no known form, and the payees that an option allows. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  checkCode,
  noCodeRules,
  type Charge,
  type CodeRules,
} from '../../../../relay/qrcode/check-code.js';
import { encode, fieldsText, nested, type Field } from '../../support/merchant-codes.js';
import { invoice } from '../../support/published-codes.js';

const charge = (amount: string, currency: string): Charge => ({
  amount,
  currency,
  payCurrency: currency,
});
const roubles = charge('12.50', 'RUB');
const rupees = charge('12.50', 'INR');
const euros = charge('12.50', 'EUR');
const bitcoins = charge('0.0025', 'BTC');
const verdict = (code: string, of: Charge, rules = noCodeRules): string =>
  checkCode(code, of, rules).verdict;

const SBP = 'https://qr.nspk.ru/AD10006M8KH234K782OQM0L13JI31LQD';
const SBP_WITH_SUM = `${SBP}?type=02&bank=100000000007&sum=1250&cur=RUB&crc=AB75`;
const INVOICE = invoice.code;
const COIN = 'bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=0.0025';

const EPC = ['BCD', '002', '1', 'SCT', '', 'Bean and Leaf', 'DE89370400440532013000', 'EUR12.50'];
const OTHER_IBAN = 'BE72000000001616';
const epc = (changes: Readonly<Record<number, string>> = {}): string =>
  EPC.map((own, at) => changes[at] ?? own).join('\n');

describe('a code of no known form', () => {
  const others = [
    'https://pay.example/AD0123456789ABCDEF0123456789ABCD?sum=7&type=1&crc=1',
    'https://qr.example/1',
    'solana:https%3A%2F%2Fpay.example',
    'lnurl1dp68',
    'x',
  ];

  it('is shown unless the check is required', () => {
    for (const code of others) {
      assert.equal(verdict(code, roubles), 'unknown', code);
      assert.equal(verdict(code, roubles, { check: 'required', payees: [] }), 'wrong', code);
      assert.equal(verdict(code, roubles, { check: 'required', payees: ['Bean'] }), 'wrong', code);
    }
  });

  it('never throws, and reads any text of 2,953 bytes at once', () => {
    const starts = [
      'upi://pay?',
      'BCD\n',
      'SPC\n',
      'bitcoin:',
      'ethereum:',
      'lnbc1',
      SBP,
      '000201',
      '000202',
      'bitcoin:?lno=lno1',
    ];
    const text = fc.string({ unit: 'binary', maxLength: 2953 });
    fc.assert(
      fc.property(fc.constantFrom(...starts), text, (start, rest) => {
        assert.notEqual(verdict(start + rest, charge('0.77', 'XTS')), undefined);
      }),
    );
    for (const part of ['&', ';', '?', '%', '=', '.', '\n', '0', '1', '//', 'a.', '(', ' ', '+'])
      for (const start of starts) {
        // the processor's own time, because a busy machine makes a test wait
        const began = process.cpuUsage();
        verdict(start + part.repeat(2953 / part.length), roubles);
        const { system, user } = process.cpuUsage(began);
        assert.ok(system + user < 200_000, start + part);
      }
  });
});

describe('the payees of an option', () => {
  const named = (name: string): string =>
    `upi://pay?pa=a@b&pn=${encodeURIComponent(name)}&am=12.50`;
  const rules = (payees: string[], check: CodeRules['check'] = 'when_known'): CodeRules => ({
    check,
    payees,
  });

  it('compares names whole, and folds case and spaces', () => {
    const only = rules(['Bean & Leaf  GmbH']);
    assert.equal(verdict(named('BEAN &  LEAF gmbh '), rupees, only), 'right');
    for (const other of ['Bean & Leaf', 'Bean & Leaf GmbH 2', 'Bеan & Leaf GmbH', 'Bean\u00adLeaf'])
      assert.equal(verdict(named(other), rupees, only), 'another_payee', other);
    assert.deepEqual(checkCode(named('Eve'), rupees, only), {
      verdict: 'another_payee',
      payee: 'Eve',
    });
  });

  it('lets the account decide where the list has accounts', () => {
    const both = rules(['Bean', 'account: de89 3704 0044 0532 0130 00']);
    assert.equal(verdict(epc(), euros, both), 'right');
    assert.equal(verdict(epc({ 6: OTHER_IBAN }), euros, both), 'another_payee');
    assert.equal(verdict(epc({ 5: 'Bean', 6: OTHER_IBAN }), euros, both), 'another_payee');
  });

  it('does not show a code that leaves out the name under which its account is listed', () => {
    const shop = (...name: Field[]): string =>
      encode([
        ['00', '01'],
        ['26', 'account'],
        ['53', '356'],
        ['54', '12.50'],
        ['58', 'IN'],
        ...name,
      ]);
    for (const code of [shop(), shop(['59', '  ']), 'upi://pay?pa=eve@bank&am=12.50'])
      assert.equal(verdict(code, rupees, rules(['Bean'])), 'another_payee', code);
    assert.equal(verdict(COIN, bitcoins, rules(['Bean'])), 'another_payee');
    assert.equal(verdict(shop(['59', 'BEAN']), rupees, rules(['Bean'])), 'right');
    const named = `bitcoin:?lightning=${INVOICE}&label=Eve`;
    assert.equal(verdict(named, bitcoins, rules(['account:x'])), 'another_payee');
  });

  it('wants an account in a merchant’s code only where it has a list', () => {
    const code = (...fields: Field[]): string =>
      encode([['00', '01'], ...fields, ['53', '344'], ['54', '12.50'], ['58', 'HK']]);
    const other: Field = [
      '80',
      fieldsText([
        ['00', 'com.swiftpass'],
        ['02', 'eve'],
      ]),
    ];
    for (const each of [code(other), code(other, ['59', 'Bean'])]) {
      assert.equal(verdict(each, charge('12.50', 'HKD'), rules([], 'required')), 'right', each);
      for (const list of [['Bean'], ['account:bean1']])
        assert.equal(verdict(each, charge('12.50', 'HKD'), rules(list)), 'wrong', each);
    }
  });

  it('folds the ways in which a name or an account is written', () => {
    for (const [own, written] of [
      ['Straße GmbH', 'STRASSE GMBH'],
      ['İstanbul', 'istanbul'],
      ['ΚΑΦΕΣ', 'καφεσ'],
      ['Ｂｅａｎ', 'Bean'],
      ['Bean’s', "BEAN'S"],
    ] as const) {
      assert.equal(verdict(named(own), rupees, rules([written])), 'right', own);
      assert.equal(verdict(named(written), rupees, rules([own])), 'right', written);
    }
    assert.equal(verdict(named('Bean'), rupees, rules(['ACCOUNT: A@B'])), 'right');
    assert.equal(verdict(named('ACCOUNT:x'), rupees, rules(['Account:x'])), 'another_payee');
  });

  it('wants each way to pay of a link to a coin in the list', () => {
    const address = 'account:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';
    const segwit = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
    assert.equal(verdict(COIN, bitcoins, rules([address])), 'right');
    for (const more of [
      `bc=${segwit}`,
      `sp=sp1q${'q'.repeat(112)}`,
      `ark=ark1q${'q'.repeat(100)}`,
      `lightning=${INVOICE}`,
      'lno=lno1zcss9mk8y3wkklfvevcrszlmu23kfrxh49px20665dqwmn4p72pksese',
      'creq=CREQB1X',
      'pj=https://evil.example/',
      'req-pj=https://evil.example/',
      'tb=tb1qthief',
      'lnaddr=eve@evil.example',
    ])
      assert.equal(verdict(`${COIN}&${more}`, bitcoins, rules([address])), 'another_payee', more);
    const both = rules([address, `account:${segwit}`]);
    assert.equal(verdict(`${COIN}&bc=${segwit}`, bitcoins, both), 'right');
    const server = `bitcoin:?lightning=${INVOICE}&pj=https://evil.example/`;
    assert.equal(verdict(server, bitcoins, both), 'another_payee');
  });

  it('tells the payees of one address apart where the list has their tag', () => {
    const XRP = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
    const XLM = 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO';
    for (const [address, link, of] of [
      [XRP, `ripple:${XRP}?amount=5&dt=`, charge('5', 'XRP')],
      [XLM, `web+stellar:pay?destination=${XLM}&amount=5&memo=`, charge('5', 'XLM')],
    ] as const) {
      const one = rules([`account:${address}/42`], 'required');
      assert.equal(verdict(`${link}42`, of, one), 'right');
      assert.equal(verdict(`${link}666`, of, one), 'another_payee');
      assert.equal(verdict(link.replace(/&\w+=$/, ''), of, one), 'another_payee');
      assert.equal(verdict(`${link}666`, of, rules([`account:${address}`])), 'right');
    }
  });

  it('compares a tag, and an address without a checksum, exactly', () => {
    const XLM = 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO';
    const SOL = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN';
    const lumens = `web+stellar:pay?destination=${XLM}&amount=5&memo=`;
    const solana = `solana:${SOL}?amount=5`;
    for (const [link, currency, account, checked] of [
      [`${lumens}abc`, 'XLM', `${XLM}/abc`, 'right'],
      [`${lumens}abc`, 'XLM', `${XLM.toLowerCase()}/abc `, 'right'],
      [`${lumens}a/b`, 'XLM', `${XLM}/a/b`, 'right'],
      [`${lumens}ABC`, 'XLM', `${XLM}/abc`, 'another_payee'],
      [`${lumens}a%20b%20c`, 'XLM', `${XLM}/abc`, 'another_payee'],
      [`${lumens}a/b`, 'XLM', `${XLM}/b`, 'another_payee'],
      [solana, 'SOL', ` ${SOL}`, 'right'],
      [solana, 'SOL', SOL.replace('m', 'M'), 'another_payee'],
      [solana.replace('m', 'M'), 'SOL', SOL, 'another_payee'],
      [solana.replace(SOL, SOL.toLowerCase()), 'SOL', SOL, 'wrong'],
    ] as const) {
      const only = rules([`account:${account}`], 'required');
      assert.equal(verdict(link, charge('5', currency), only), checked, `${link} ${account}`);
    }
    assert.deepEqual(checkCode(solana, charge('5', 'SOL'), rules(['account:x'])), {
      verdict: 'another_payee',
      payee: SOL,
    });
  });

  it('tells the shops of one bank apart where the bank sends their bills of PromptPay', () => {
    const BILLER = '010753600031508';
    const bill = (shop: string, reference = 'KPS1'): Field => [
      '30',
      fieldsText([
        ['00', 'A000000677010112'],
        ['01', BILLER],
        ['02', shop],
        ['03', reference],
      ]),
    ];
    const ofBank = (shop: string, reference = 'KPS1'): Field => [
      '31',
      fieldsText([
        ['00', 'A000000677010113'],
        ['01', '004'],
        ['02', shop],
        ['04', reference],
      ]),
    ];
    const check = (list: string[], ...accounts: Field[]) =>
      checkCode(
        encode([['00', '01'], ...accounts, ['53', '764'], ['54', '12.50'], ['58', 'TH']]),
        charge('12.50', 'THB'),
        rules(list, 'required'),
      );
    const own = [`account:${BILLER}/KB1`, 'account:004/KB1'];
    for (const accounts of [
      [bill('KB1'), ofBank('KB1')],
      [bill('KB1', 'KPS2'), ofBank('KB1', 'KPS2')],
      [bill('KB1')],
    ])
      assert.equal(check(own, ...accounts).verdict, 'right', JSON.stringify(accounts));
    assert.deepEqual(check(own, bill('KB2'), ofBank('KB1')), {
      verdict: 'another_payee',
      payee: `${BILLER}/KB2`,
    });
    const second: Field = ['29', bill('KB2')[1]];
    for (const accounts of [
      [bill('KB1'), ofBank('KB2')],
      [bill('KB1'), second],
    ])
      assert.equal(check(own, ...accounts).verdict, 'another_payee', JSON.stringify(accounts));
    assert.equal(check([`account:${BILLER}`], bill('ORDER42')).verdict, 'right');
  });

  it('shows a form without a payee only when the check is not required', () => {
    for (const [code, of, list] of [
      [SBP_WITH_SUM, roubles, ['Bean']],
      [INVOICE, bitcoins, ['account:x']],
      [INVOICE, bitcoins, ['Bean']],
    ] as const) {
      assert.equal(verdict(code, of, rules([...list])), 'right', code);
      assert.equal(verdict(code, of, rules([...list], 'required')), 'another_payee', code);
    }
  });

  it('shows a code without an amount under “required” only when it pays a listed payee', () => {
    const typed = 'upi://pay?pa=a@b&pn=Bean';
    assert.equal(verdict(typed, rupees, rules([], 'required')), 'wrong');
    assert.equal(verdict(typed, rupees, rules(['Eve'], 'required')), 'another_payee');
    const checked = checkCode(typed, rupees, rules(['bean'], 'required'));
    assert.deepEqual(checked, {
      verdict: 'right',
      payee: 'Bean',
      codeAmount: { currency: 'INR' },
    });
  });

  it('knows the account in the codes of each payment system', () => {
    const fields = (...accounts: Field[]): string =>
      encode([
        ['00', '01'],
        ...accounts,
        ['53', '986'],
        ['54', '12.50'],
        ['58', 'BR'],
        ['59', 'A'],
      ]);
    const of = charge('12.50', 'BRL');
    const part = (id: string, ...parts: Field[]): Field => [
      id,
      parts.map(([each, value]) => each + String(value.length).padStart(2, '0') + value).join(''),
    ];
    const pix = (...parts: Field[]): Field => part('26', ['00', 'br.gov.bcb.pix'], ...parts);
    const viet = (bank: string, account: string): Field =>
      part('38', ['00', 'A000000727'], part('01', ['00', bank], ['01', account]), ['02', 'Q']);
    const at = (id: string, system: string, place: string): Field =>
      part(id, ['00', system], ['09', 'decoy'], [place, 'bean1']);
    const right = (account: string, ...accounts: Field[]): void =>
      assert.equal(verdict(fields(...accounts), of, rules([`account:${account}`])), 'right');
    right('bean1', pix(['01', 'bean1']));
    right('pix.bank.example', pix(['25', 'pix.bank.example/v2/1f9a']));
    right('pix.bank.example', pix(['25', 'https://pix.bank.example/v2/1f9a']));
    right('970436/0011', viet('970436', '0011'));
    right('0011', part('38', ['00', 'A000000727'], part('01', ['01', '0011'])));
    right('bean1', at('29', 'A000000677010111', '02'));
    right('bean1', at('26', 'SG.PAYNOW', '02'), at('27', 'A0000006150001', '02'));
    right('bean1', at('26', 'SG.PAYNOW', '02'), part('51', ['00', 'SG.SGQR'], ['01', '2107']));
    right('1/bean1', part('26', ['00', 'A0000006150001'], ['01', '1'], ['02', 'bean1']));
    right('0105', part('30', ['00', 'A000000677010112'], ['01', '0105'], ['02', '42']));
    right('bean1', part('26', ['00', 'hk.com.hkicl'], ['02', 'bean1'], ['05', '20301231']));
    right('b@upi', part('26', ['00', 'A000000524'], ['01', 'b@upi']), at('27', 'A000000524', '01'));
    right('bean1', at('26', 'ID.CO.BANK.WWW', '01'), at('51', 'ID.CO.QRIS.WWW', '02'));
    for (const name of ['constructor', '__proto__'])
      right(fieldsText([['00', name]]), part('26', ['00', name]));
    right('bean1@aclb', part('29', ['00', 'bean1@aclb']));
    right('all@abaa/0177', part('30', ['00', 'all@abaa'], ['01', '0177'], ['02', 'ABA Bank']));
    right('4000', ['02', '4000']);

    const names = ['bean1', 'pix.bank.example', '0011', 'all@abaa', 'all@abaa/0177'];
    const listed = rules([...names.map((each) => `account:${each}`), 'A']);
    for (const accounts of [
      [part('30', ['00', 'all@abaa'], ['01', '0178'])],
      [part('26', ['00', 'A0000006150001'], ['01', '2'], ['02', 'bean1'])],
      [part('26', ['00', 'A000000677010112'], ['01', 'eve'], ['02', 'bean1'])],
      [part('26', ['00', 'hk.com.hkicl'], ['02', 'bean1'], ['03', 'eve'])],
      [viet('970407', '0011')],
      [part('26', ['00', 'ID.CO.QRIS.WWW'], ['01', 'eve'], ['02', 'bean1'])],
      [at('26', 'SG.PAYNOW', '02'), part('28', ['00', 'A000000524'], ['01', '123412341234'])],
      [pix(['25', 'https://pix.evil.example/pix.bank.example/'])],
      [pix(['25', 'https://pix.bank.example@pix.evil.example/v2'])],
      [pix(['25', 'pix.evil.example/v2/1f9a'])],
      [pix(['25', 'pix.bank.example.evil.example/v2'])],
      [pix(['01', 'eve'], ['25', 'pix.bank.example/v2'])],
      [pix(['01', 'bean1'], ['21', '00000000'], ['23', '0001'], ['24', '42'])],
      [pix(['01', 'bean1']), pix(['01', 'eve'])],
      [pix(['01', 'bean1']), part('27', ['00', 'unknown'], ['01', 'bean1'])],
      [pix(['01', 'bean1'], ['01', 'eve'])],
      [['26', nested(20)] as const],
    ])
      assert.notEqual(verdict(fields(...accounts), of, listed), 'right', JSON.stringify(accounts));
  });

  it('asks for the amount that is missing, unless the payee’s bank keeps it', () => {
    const asked = (use: string, ...account: Field[]): object | null => {
      const others: Field[] = [
        ['53', '986'],
        ['58', 'BR'],
        ['59', 'A'],
      ];
      const checked = checkCode(
        encode([['00', '01'], ['01', use], ...account, ...others]),
        charge('12.50', 'BRL'),
        noCodeRules,
      );
      assert.equal(checked.verdict, 'right');
      return 'codeAmount' in checked ? checked.codeAmount : null;
    };
    const kept: Field = ['26', '0014br.gov.bcb.pix2521pix.bank.example/v2/1'];
    const brl = { currency: 'BRL' };
    assert.equal(asked('11', kept), null);
    assert.equal(asked('11', kept, ['54', '0.00']), null);
    assert.deepEqual(asked('11', ['26', '0014br.gov.bcb.pix0105bean1']), brl);
    assert.equal(asked('12', ['26', 'account']), null, 'a code for one payment');
    for (const zero of ['0', '00', '0.', '0.00'])
      for (const use of ['11', '12'])
        assert.deepEqual(asked(use, ['26', '0014br.gov.bcb.pix0105bean1'], ['54', zero]), brl);
  });
});
