/** Codes of EMVCo's form as other packages and banks write them. */
import PaynowQR from 'paynowqr';
import promptPay from 'promptpay-qr';
import { BanksObject, QRPay } from 'vietnam-qr-pay';
import { digits, type CodeForm } from './code-form.js';
import { checksum, encode, fieldsText, withChecksum, type Field } from './merchant-codes.js';

/** Changes a merchant's code before its checksum, which is then right again. */
const merchantTampering: CodeForm['tampering'] = {
  'a wrong checksum': (draw, code) =>
    code.slice(0, -4) + (code.endsWith('0000') ? '0001' : '0000') + (draw.chance(0) ? 'x' : ''),
  'a tip': (_draw, code) => withChecksum(`${code.slice(0, -8)}550201`),
  'the amount twice': (_draw, code) => withChecksum(`${code.slice(0, -8)}540499.5`),
  'something after the checksum': (_draw, code) => `${code}8002xx`,
  'cut off': (draw, code) => code.slice(0, 8 + draw.integer(code.length - 9)),
  'another currency': (_draw, code) => {
    const changed = code.slice(0, -8).replace(/(5303)(\d{3})(?=54)/, '$1978');
    return withChecksum(changed);
  },
};

const merchantCode = (number: string, country: string, amount: string, account: Field): string =>
  encode([['00', '01'], ['01', '12'], account, ['53', number], ['54', amount], ['58', country]]);

export const merchantCodeForms: Readonly<Record<string, CodeForm>> = {
  'VietQR by vietnam-qr-pay': {
    currency: 'VND',
    places: 0,
    // one of the package's banks has no number
    account: /(?:0006(\d{6}))?0110(\d{10})/,
    honest: (draw, amount) =>
      QRPay.initVietQR({
        bankBin: draw.pick(Object.values(BanksObject)).bin,
        bankNumber: digits(draw, 10),
        amount,
        purpose: draw.pick(['Chuyen tien', '']),
      }).build(),
    tampering: merchantTampering,
  },
  'PromptPay by promptpay-qr': {
    currency: 'THB',
    places: 2,
    account: /A000000677010111\d\d13(\d{13})/,
    honest: (draw, amount) =>
      promptPay(draw.pick([`08${digits(draw, 8)}`, digits(draw, 13)]), { amount: Number(amount) }),
    tampering: merchantTampering,
  },
  'PayNow by paynowqr': {
    currency: 'SGD',
    places: 2,
    account: /0210(\d{9}W)/,
    honest: (draw, amount) =>
      new PaynowQR({
        uen: `${digits(draw, 9)}W`,
        amount: Number(amount),
        editable: false,
        refNumber: `INV-${digits(draw, 5)}`,
        company: draw.pick(['ACME Pte Ltd.', 'Bean & Leaf']),
      }).output(),
    tampering: merchantTampering,
  },
  'PromptPay, a bill as K SHOP writes it': {
    currency: 'THB',
    places: 2,
    account: /0115(\d{15})0208(KB\d{6})/,
    honest: (draw, amount) =>
      merchantCode('764', 'TH', amount, [
        '30',
        fieldsText([
          ['00', 'A000000677010112'],
          ['01', '010753600031508'],
          ['02', `KB${digits(draw, 6)}`],
          ['03', `KPS${digits(draw, 6)}`],
        ]),
      ]),
    tampering: merchantTampering,
  },
  Raast: {
    currency: 'PKR',
    places: 2,
    account: /0424(\w{24})/,
    honest: (draw, amount) => {
      const text = fieldsText([
        ['00', '02'],
        ['01', '12'],
        ['02', draw.pick(['00', '30', '31'])],
        ['04', draw.pick(['PK61TMFB0000000098214843', 'PK36SCBL0000001123456702'])],
        ['05', amount],
      ]);
      return `${text}1004${checksum(`${text}1004`)}`;
    },
    tampering: merchantTampering,
  },
  'FPS of Hong Kong': {
    currency: 'HKD',
    places: 2,
    account: /0207(\d{7})/,
    honest: (draw, amount) =>
      merchantCode('344', 'HK', amount, [
        '26',
        fieldsText([
          ['00', 'hk.com.hkicl'],
          ['02', digits(draw, 7)],
          ...(draw.chance(0.5) ? [['06', '0'] as const] : []),
        ]),
      ]),
    tampering: merchantTampering,
  },
};
