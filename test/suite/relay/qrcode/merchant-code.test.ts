/** Codes in EMVCo's form are compared with the charge of the order; other codes are not. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { crc16 } from '../../../../relay/qrcode/crc16.js';
import { currencyNumber } from '../../../../relay/qrcode/currency-number.js';
import { checkCode, noCodeRules, type Charge } from '../../../../relay/qrcode/check-code.js';
import {
  currencies,
  encode,
  fieldsText,
  honestCode,
  nested,
  tamperedCode,
  tamperings,
  withChecksum,
  type Field,
} from '../../support/merchant-codes.js';
import { createRandom } from '../../../proofs/proof.js';

/** The examples of the Pix manual and of EMVCo's specification; the second asks for a tip. */
const PIX =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR' +
  '5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const BEIJING =
  '00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN' +
  '5914BEST TRANSPORT6007BEIJING64200002ZH0104最佳运输0202北京540523.7253031565502016233030412' +
  '340603***0708A60086670902ME91320016A0112233449988770708123456786304A13A';

const charge = (amount: string, currency: string, payCurrency = currency): Charge => ({
  amount,
  currency,
  payCurrency,
});
const fields: Field[] = [
  ['00', '01'],
  ['26', 'account'],
  ['53', '840'],
  ['54', '12.50'],
  ['58', 'US'],
  ['59', 'BEAN AND LEAF LLC'],
];
const changed = (id: string, value: string): string =>
  encode(fields.map(([each, own]) => [each, each === id ? value : own]));
/** The verdict with the payee. */
function check(code: string, of: Charge): object {
  const checked = checkCode(code, of, noCodeRules);
  return checked.verdict === 'right'
    ? { verdict: checked.verdict, payee: checked.payee }
    : { verdict: checked.verdict };
}
const verdict = (code: string, of = charge('12.50', 'USD')): string =>
  checkCode(code, of, noCodeRules).verdict;
const payee = (name: string): string | null => {
  const checked = checkCode(changed('59', name), charge('12.50', 'USD'), noCodeRules);
  assert.equal(checked.verdict, 'right', JSON.stringify(name));
  return 'payee' in checked ? checked.payee : null;
};

/** A charge in one of `currencies`, and a seed for the other fields of the code. */
const cases = fc.record({
  seed: fc.integer(),
  currency: fc.constantFrom(...currencies),
  amount: fc
    .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.constantFrom('', '.00', '.50', '.05'))
    .map(([whole, fraction]) => `${whole}${fraction}`),
});

describe('a code in EMVCo’s form', () => {
  it('accepts the published examples, and refuses the one that asks for a tip', () => {
    assert.equal(crc16(new TextEncoder().encode('123456789'), 0xffff), 0x29b1);
    assert.deepEqual(check(PIX, charge('9.90', 'BRL')), {
      verdict: 'right',
      payee: 'Fulano de Tal',
    });
    assert.equal(verdict(BEIJING, charge('23.72', 'CNY')), 'wrong', 'it asks for a tip');
    const body = BEIJING.replace('550201', '').slice(0, -8);
    assert.deepEqual(check(withChecksum(body), charge('23.72', 'CNY')), {
      verdict: 'right',
      payee: 'BEST TRANSPORT',
    });
  });

  it('accepts a code with its payee when an honest bank made it for this charge', () => {
    fc.assert(
      fc.property(cases, ({ amount, currency, seed }) => {
        const made = honestCode(createRandom(seed), { amount, currency });
        assert.deepEqual(check(made.code, charge(amount, currency)), {
          verdict: 'right',
          payee: made.payee,
        });
      }),
      { numRuns: 1000 },
    );
  });

  for (const way of tamperings)
    it(`refuses a code that was tampered with: ${way}`, () => {
      fc.assert(
        fc.property(cases, ({ amount, currency, seed }) => {
          const code = tamperedCode(createRandom(seed), { amount, currency }, way);
          assert.equal(verdict(code, charge(amount, currency)), 'wrong', code);
        }),
        { numRuns: 200 },
      );
    });

  it('refuses any text that follows the field 00, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), (rest) => {
        for (const start of ['000201', '000202']) assert.equal(verdict(start + rest), 'wrong');
      }),
    );
  });

  it('returns “unknown” for a code that does not begin with the field 00', () => {
    for (const code of ['https://qr.example/1', '00020', '010211', '0002x1', '000301', ''])
      assert.equal(verdict(code), 'unknown', JSON.stringify(code));
  });

  it('ignores the blanks and invisible characters around a code', () => {
    const other = encode(fields.map(([id, value]) => [id, id === '54' ? '1.00' : value]));
    assert.equal(verdict(other), 'wrong');
    for (const around of [' ', '\n', '\uFEFF', '\u200B', '\0']) {
      assert.equal(verdict(around + other), 'wrong', JSON.stringify(around));
      assert.equal(verdict(encode(fields) + around), 'right', JSON.stringify(around));
    }
  });

  it('accepts 2,900 bytes and 20 levels, and refuses one added character', () => {
    const filler: Field[] = Array.from({ length: 28 }, (_, at) => [String(64 + at), nested(20)]);
    const code = encode([...fields, ...filler]);
    assert.ok(code.length > 2400 && code.length < 2900, String(code.length));
    assert.equal(verdict(code), 'right');
    assert.equal(verdict(`${code}0`), 'wrong');
  });

  it('accepts lengths that count characters, UTF-16 units or bytes', () => {
    const named: Field[] = [...fields.slice(0, 5), ['59', 'ร้านกาแฟ 👍'], ['60', '東京']];
    for (const unit of ['characters', 'utf16', 'bytes'] as const)
      assert.deepEqual(check(encode(named, unit), charge('12.50', 'USD')), {
        verdict: 'right',
        payee: 'ร้านกาแฟ 👍',
      });
  });

  it('refuses a code when one of two readings of its lengths charges another amount', () => {
    const others = fieldsText(fields.filter(([id]) => id !== '54'));
    // when lengths count characters, field 80 contains the 13 characters before the last amount
    const twoWays = (amount: string): string =>
      withChecksum(`${others}8026${'é'.repeat(13)}540512.508109${fieldsText([['54', amount]])}`);
    assert.equal(verdict(twoWays('12.50')), 'right');
    assert.equal(verdict(twoWays('99.00')), 'wrong');
  });

  it('refuses a code when a reading reaches another amount and then breaks off', () => {
    const others = fieldsText(fields.filter(([id]) => id !== '54'));
    const own = fieldsText([['54', '12.50']]);
    const other = fieldsText([['54', '99.00']]);
    const hidden = (text: string): string =>
      `80${String(2 * text.length).padStart(2, '0')}${'é'.repeat(text.length)}${text}`;
    // by bytes, field 80 ends where its hidden text begins
    for (const text of [other, `${other}9999`, fieldsText([['53', '986']]), '550201'])
      for (const code of [others + hidden(text) + own, others + own + hidden(text)])
        assert.equal(verdict(withChecksum(code)), 'wrong', code);
    assert.equal(verdict(withChecksum(others + own + hidden('none'))), 'right');
  });

  it('refuses a code when a reading of its lengths names another account', () => {
    const [start, ...rest] = fields.map((field) => fieldsText([field]));
    // by bytes, field 80 ends where its hidden text begins
    const hidden = (other: string): string =>
      `80${String(2 * other.length).padStart(2, '0')}${'é'.repeat(other.length)}${other}`;
    const thief: Field[] = [
      ['00', 'br.gov.bcb.pix'],
      ['01', 'thief'],
    ];
    for (const id of ['26', '51'])
      for (const parts of [thief, [...thief, thief[1]!]])
        for (const end of ['', '9999']) {
          const other = hidden(fieldsText([[id, fieldsText(parts)]]) + end);
          for (const code of [
            [start, other, ...rest],
            [start, ...rest, other],
          ])
            assert.equal(verdict(withChecksum(code.join(''))), 'wrong', code.join(''));
        }
  });

  it('refuses a code of Pix that allows further payments beside its own', () => {
    const pix = (id: string, ...parts: Field[]): Field => [
      id,
      fieldsText([['00', 'BR.GOV.BCB.PIX'], ...parts]),
    ];
    const own = fields.map((field) =>
      field[0] === '26' ? pix('26', ['25', 'bank.example/1']) : field,
    );
    assert.equal(verdict(encode(own)), 'right');
    const address: Field = ['25', 'bank.example/rec/1'];
    const [, plain] = pix('80', address);
    for (const id of ['62', '80'])
      for (const parts of [plain, pix(id, address, address)[1], `${plain}9`])
        assert.equal(verdict(encode([...own, [id, parts]])), 'wrong', parts);
  });

  it('refuses a code when the parts of a known system stand there twice or break off', () => {
    for (const [system, ...own] of [
      ['br.gov.bcb.pix', ['01', 'bean1']],
      ['br.gov.bcb.pix', ['25', 'bank.example/1']],
      ['SG.PAYNOW', ['02', '201812345K'], ['03', '1']],
      ['hk.com.hkicl', ['02', '1234567'], ['06', '1']],
      ['A000000524', ['01', 'bean@icici'], ['02', '12.50']],
      ['A000000727', ['01', fieldsText([['01', '0011']])]],
      ['ID.CO.BANK.WWW', ['01', '9360']],
      ['bean1@aclb', ['01', '0177']],
    ] as readonly [string, ...Field[]][]) {
      const parts: Field[] = [['00', system], ...own];
      const paying = (text: string): string => verdict(changed('26', text));
      assert.equal(paying(fieldsText(parts)), 'right', system);
      assert.equal(paying(fieldsText([...parts, ...own.slice(-1)])), 'wrong', system);
      assert.equal(paying(`${fieldsText(parts)}9`), 'wrong', system);
    }
    const twice: Field[] = [
      ['01', '0011'],
      ['01', '0012'],
    ];
    const list = fieldsText([
      ['00', 'A000000727'],
      ['01', fieldsText(twice)],
    ]);
    assert.equal(verdict(changed('26', list)), 'wrong');
    assert.equal(verdict(changed('26', fieldsText([['00', 'unknown'], ...twice]))), 'right');
  });

  it('refuses a code when a reading of a field’s parts breaks off after another account', () => {
    const other = fieldsText([['01', 'thief@bank.example']]);
    // by bytes, part 02 ends where its hidden text begins, and the field before its own account
    const hidden = `02${2 * other.length}${'é'.repeat(other.length)}${other}`;
    const start = fieldsText([['00', 'br.gov.bcb.pix']]);
    const own = fieldsText([['01', 'bean1@bank.example']]);
    for (const parts of [start + hidden + own, `${start}${hidden}${own}0402ab`])
      assert.equal(verdict(changed('26', parts)), 'wrong', parts);
    assert.equal(verdict(changed('26', `${start}${own}0206Grão 4`)), 'right');
  });

  it('refuses a code when two whole readings name two payees', () => {
    const others = fieldsText(fields.filter(([id]) => id !== '59'));
    // by characters, field 80 contains the first payee; by bytes, field 81 contains the second
    const twoWays = (payee: string): string =>
      withChecksum(`${others}8030${'é'.repeat(15)}5907ONE INC8111${fieldsText([['59', payee]])}`);
    assert.equal(verdict(twoWays('ONE INC')), 'right');
    assert.equal(verdict(twoWays('TWO INC')), 'wrong');
  });

  it('compares only the currency when the customer pays in another currency', () => {
    const inBaht = changed('53', '764');
    assert.equal(verdict(inBaht), 'wrong');
    assert.equal(verdict(inBaht, charge('1.00', 'USD', 'THB')), 'right');
    assert.equal(verdict(changed('53', '840'), charge('1.00', 'USD', 'THB')), 'wrong');
    assert.equal(verdict(inBaht, charge('1.00', 'usd', 'thb')), 'right');
    assert.equal(verdict(changed('53', '840'), charge('1.00', 'USD', 'usd')), 'wrong');
  });

  it('compares neither currency nor amount when the customer pays in a crypto asset', () => {
    assert.equal(verdict(changed('53', '999'), charge('1.00', 'USD', 'USDT')), 'right');
    const without = encode(fields.filter(([id]) => id !== '53'));
    assert.equal(verdict(without, charge('1.00', 'USD', 'USDT')), 'wrong');
  });

  it('compares amounts as decimals', () => {
    for (const same of ['12.5', '12.50', '12.500', '0012.50'])
      assert.equal(verdict(changed('54', same)), 'right', same);
    for (const other of ['12.51', '12', '1250', '12,50', '.5', '', '12.50.', '+12.50', '１２.５'])
      assert.equal(verdict(changed('54', other)), 'wrong', other);
    for (const zero of ['0', '00', '0.', '0.00'])
      assert.equal(verdict(changed('54', zero)), 'wrong', zero);
    assert.equal(verdict(changed('54', '12.'), charge('12.00', 'USD')), 'right');
    assert.equal(verdict(changed('54', '.5'), charge('0.50', 'USD')), 'right');
    assert.equal(verdict(changed('54', `${'0'.repeat(90)}12.5`)), 'right');
  });
});

describe('an amount of a code that the customer may change', () => {
  const paying = (system: string, ...parts: Field[]): string =>
    encode(
      fields.map((own) => (own[0] === '26' ? ['26', fieldsText([['00', system], ...parts])] : own)),
    );
  const strict = (code: string): string =>
    checkCode(code, charge('12.50', 'USD'), { check: 'required', payees: [] }).verdict;

  it('proves nothing when PayNow lets the customer edit it', () => {
    const payNow = (mayEdit: string): string =>
      paying('SG.PAYNOW', ['01', '2'], ['02', '201812345K'], ['03', mayEdit]);
    assert.equal(strict(payNow('0')), 'right');
    assert.equal(strict(payNow('1')), 'wrong');
    assert.equal(verdict(payNow('1')), 'right');
  });

  it('proves nothing when FPS lets the customer edit it', () => {
    const fps = (...parts: Field[]): string => paying('hk.com.hkicl', ['02', '1234567'], ...parts);
    assert.equal(strict(fps()), 'right');
    assert.equal(strict(fps(['06', '1'])), 'wrong');
    assert.equal(verdict(fps(['06', '1'])), 'right');
  });

  it('proves nothing when the payee’s bank keeps the amount of a Pix code', () => {
    const kept = paying('br.gov.bcb.pix', ['25', 'pix.bank.example/v2/1f9a']);
    assert.equal(verdict(kept), 'right');
    assert.equal(strict(kept), 'wrong');
    const payees = ['account:pix.bank.example'];
    const listed = checkCode(kept, charge('12.50', 'USD'), { check: 'required', payees });
    assert.equal(listed.verdict, 'right');
  });

  it('is wrong when UPI has another minimum', () => {
    const upi = (minimum: string): string =>
      paying('A000000524', ['01', 'bean@icici'], ['02', minimum]);
    for (const minimum of ['12.5', '0', '0.00']) assert.equal(strict(upi(minimum)), 'right');
    for (const minimum of ['0.01', '1,000', 'x']) assert.equal(verdict(upi(minimum)), 'wrong');
    assert.equal(verdict(paying('A000000524', ['01', 'ORDER42'], ['02', 'bean.example'])), 'right');
  });
});

describe('the payee of a code', () => {
  it('trims a payee, and withholds it when it is empty or has invisible characters', () => {
    assert.equal(payee(' BEAN AND LEAF LLC '), 'BEAN AND LEAF LLC');
    assert.equal(payee('می‌خواهم'), 'می‌خواهم', 'a joiner of a script that needs it');
    const none = ['', ' ', 'NA', 'n/a'];
    const hidden = ['\u3164', '\u2800', 'A\u202eB', 'A\u200bB', 'A\u2066B', 'A\u200dB'];
    const broken = ['A\nB', 'A\tB', 'A\u0000B', 'A\u00adB', 'A\ud800B', 'A\u034fB', 'A\u{e0041}B'];
    for (const name of [...none, ...hidden, ...broken])
      assert.equal(payee(name), null, JSON.stringify(name));
  });

  it('reads a payee of 99 characters', () => {
    assert.equal(payee('A'.repeat(99))?.length, 99);
  });
});

describe('the number of a currency', () => {
  it('returns three digits for a currency of ISO 4217, and none for a crypto asset', () => {
    assert.deepEqual(['USD', 'RUB', 'ALL', 'xcg'].map(currencyNumber), [
      '840',
      '643',
      '008',
      '532',
    ]);
    assert.deepEqual(['USDT', 'BTC', 'XRP', ''].map(currencyNumber), Array(4).fill(undefined));
  });
});
