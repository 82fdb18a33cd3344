/**
 * QR codes in EMVCo's merchant-presented form as six countries write them, and the same codes
 * tampered with. Written without the relay's code, so that the two programs check each other.
 */

/** A source of repeatable choices. */
export type Draw = {
  /** A whole number from 0 to `below` - 1. */
  integer(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
};

export type Field = readonly [id: string, value: string];

/** What a field's length counts. */
export type Unit = 'characters' | 'utf16' | 'bytes';

export type Charge = { amount: string; currency: string };

/** A code, and the name of the payee in it; null when it has none. */
export type MerchantCode = { code: string; payee: string | null };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const counted: Record<Unit, (text: string) => number> = {
  characters: (text) => Array.from(text).length,
  utf16: (text) => text.length,
  bytes: (text) => bytesOf(text).length,
};

/** The remainders of the 16 nibbles, by the polynomial 0x1021. */
const REMAINDERS = Array.from({ length: 16 }, (_, nibble) => (nibble * 0x1021) & 0xffff);

/** CRC-16/CCITT-FALSE of the UTF-8 bytes, as four digits. */
export function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of bytesOf(text))
    for (const nibble of [byte >> 4, byte & 15])
      crc = ((crc << 4) & 0xffff) ^ (REMAINDERS[(crc >> 12) ^ nibble] ?? 0);
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

const field =
  (unit: Unit) =>
  ([id, value]: Field): string =>
    id + String(counted[unit](value)).padStart(2, '0') + value;

export const fieldsText = (fields: readonly Field[], unit: Unit = 'characters'): string =>
  fields.map(field(unit)).join('');

/** A template: a field whose value is made of fields. */
const template = (id: string, ...fields: readonly Field[]): Field => [id, fieldsText(fields)];

export const withChecksum = (text: string): string => `${text}6304${checksum(`${text}6304`)}`;

export const encode = (fields: readonly Field[], unit: Unit = 'characters'): string =>
  withChecksum(fieldsText(fields, unit));

/** A plain code of one shop. `number` is the currency's number in ISO 4217, by default dollars. */
export const shopCode = (amount: string, number = '840'): string =>
  encode([
    ['00', '01'],
    ['26', 'account'],
    ['53', number],
    ['54', amount],
    ['58', 'US'],
    ['59', 'BEAN AND LEAF LLC'],
  ]);

/** A template with a template in it, and so on; the innermost holds one field. */
export const nested = (levels: number): string =>
  levels === 0 ? 'x' : fieldsText([['01', nested(levels - 1)]]);

const digits = (draw: Draw, count: number): string =>
  Array.from({ length: count }, () => draw.integer(10)).join('');

type Form = {
  numeric: string;
  country: string;
  city: string;
  names: readonly string[];
  /** The account, in the templates 26 to 51. */
  account: (draw: Draw) => Field[];
  additional?: (draw: Draw) => Field[];
};

const pix: Form = {
  numeric: '986',
  country: 'BR',
  city: 'SAO PAULO',
  names: ['Fulano de Tal', 'CAFÉ SÃO JOÃO LTDA', 'Padaria Ipê'],
  account: (draw) => [
    template(
      '26',
      ['00', 'br.gov.bcb.pix'],
      ['01', `${digits(draw, 8)}-e12b-12d1-a456-${digits(draw, 12)}`],
    ),
  ],
  additional: () => [template('62', ['05', '***'])],
};

const qris: Form = {
  numeric: '360',
  country: 'ID',
  city: 'JAKARTA SELATAN',
  names: ['WARUNG KOPI SENJA', 'Toko Ibu Sri', 'BEAN AND LEAF'],
  account: (draw) => [
    template(
      '26',
      ['00', 'ID.CO.TELKOM.WWW'],
      ['01', `93600898${digits(draw, 10)}`],
      ['03', 'UMI'],
    ),
    template('51', ['00', 'ID.CO.QRIS.WWW'], ['02', `ID${digits(draw, 13)}`], ['03', 'UMI']),
  ],
  additional: () => [['61', '12190'], template('62', ['07', 'A01'])],
};

const promptPay: Form = {
  numeric: '764',
  country: 'TH',
  city: 'BANGKOK',
  names: ['', 'ร้านกาแฟสดใส', 'BEAN AND LEAF CO LTD'],
  account: (draw) => [template('29', ['00', 'A000000677010111'], ['01', `0066${digits(draw, 9)}`])],
};

const vietQr: Form = {
  numeric: '704',
  country: 'VN',
  city: 'HA NOI',
  names: ['', 'CÀ PHÊ HÀ NỘI', 'NGUYEN VAN A'],
  account: (draw) => [
    template(
      '38',
      ['00', 'A000000727'],
      template('01', ['00', '970436'], ['01', digits(draw, 13)]),
      ['02', 'QRIBFTTA'],
    ),
  ],
  additional: () => [template('62', ['08', 'cà phê sáng'])],
};

const payNow: Form = {
  numeric: '702',
  country: 'SG',
  city: 'Singapore',
  names: ['BEAN & LEAF PTE. LTD.', '老巴刹咖啡店', 'Kopi 👍 House'],
  account: (draw) => [
    template(
      '26',
      ['00', 'SG.PAYNOW'],
      ['01', '2'],
      ['02', `20${digits(draw, 7)}K`],
      ['03', '0'],
      ['04', '20271231'],
    ),
  ],
  additional: (draw) => [template('62', ['01', `INV${digits(draw, 6)}`])],
};

const khqr = (numeric: string): Form => ({
  numeric,
  country: 'KH',
  city: 'PHNOM PENH',
  names: ['Coffee Klaing', 'ហាងកាហ្វេ', 'BEAN AND LEAF'],
  account: (draw) => [template('29', ['00', `shop${digits(draw, 4)}@aclb`])],
  additional: (draw) => [template('99', ['00', `17${digits(draw, 11)}`])],
});

/** The forms by currency. */
export const forms = {
  BRL: pix,
  IDR: qris,
  THB: promptPay,
  VND: vietQr,
  SGD: payNow,
  KHR: khqr('116'),
  USD: khqr('840'),
} as const satisfies Record<string, Form>;

export const currencies = Object.keys(forms) as (keyof typeof forms)[];

const formOf = (currency: string): Form => {
  const found = Object.entries(forms).find(([code]) => code === currency)?.[1];
  if (!found) throw new Error(`no form for ${currency}`);
  return found;
};

/** The ways in which an amount may be written. */
const amountTexts = (amount: string): string[] => {
  const [whole = '0', fraction = ''] = amount.split('.');
  const isWhole = /^0*$/.test(fraction);
  return [amount, `${whole}.${fraction}0`, `00${amount}`, ...(isWhole ? [whole, `${whole}.`] : [])];
};

type Drawn = { fields: Field[]; payee: string | null };

function drawFields(draw: Draw, { amount, currency }: Charge): Drawn {
  const form = formOf(currency);
  const name = draw.pick(form.names);
  const isStatic = draw.chance(0.2);
  const fields: Field[] = [
    ['00', '01'],
    ...(draw.chance(0.8) ? [['01', isStatic ? '11' : '12'] as const] : []),
    ...form.account(draw),
    ...(draw.chance(0.05) ? [['50', nested(20)] as const] : []),
    ['52', '5812'],
    ['53', form.numeric],
    ...(isStatic ? [] : [['54', draw.pick(amountTexts(amount))] as const]),
    ['58', form.country],
    ...(name === '' ? [] : [['59', name] as const]),
    ['60', form.city],
    ...(form.additional?.(draw) ?? []),
  ];
  return { fields, payee: name === '' ? null : name };
}

const UNITS: readonly Unit[] = ['characters', 'utf16', 'bytes'];

/** A code that an honest bank makes for this charge. */
export function honestCode(draw: Draw, charge: Charge): MerchantCode {
  const { fields, payee } = drawFields(draw, charge);
  const code = encode(fields, draw.pick(UNITS));
  const isLowerCase = draw.chance(0.2);
  return { code: isLowerCase ? code.slice(0, -4) + code.slice(-4).toLowerCase() : code, payee };
}

const replaced = (fields: readonly Field[], id: string, value: string): Field[] =>
  fields.map((each) => (each[0] === id ? [id, value] : each));
const without = (fields: readonly Field[], id: string): Field[] =>
  fields.filter(([each]) => each !== id);
/** Puts a field before the country, where the amount stands. */
const inserted = (fields: readonly Field[], added: Field): Field[] =>
  fields.flatMap((each) => (each[0] === '58' ? [added, each] : [each]));

const charging = (fields: readonly Field[], amount: string): Field[] =>
  inserted(without(fields, '54'), ['54', amount]);

/** Each function makes a wrong code from honest fields; most wrong codes have a right checksum. */
const tampering: Record<string, (draw: Draw, fields: Field[], charge: Charge) => string> = {
  'another checksum': (draw, fields) => {
    const code = encode(fields);
    const wrong = (Number.parseInt(code.slice(-4), 16) + 1 + draw.integer(0xfffe)) & 0xffff;
    return code.slice(0, -4) + wrong.toString(16).toUpperCase().padStart(4, '0');
  },
  'one character changed': (draw, fields) => {
    const characters = Array.from(encode(fields));
    const at = 6 + draw.integer(characters.length - 6);
    characters[at] = characters[at] === '7' ? '8' : '7';
    return characters.join('');
  },
  'another amount': (draw, fields, { amount }) =>
    encode(charging(fields, `${1 + draw.integer(9)}${amount}`)),
  'a digit of the amount': (_draw, fields, { amount }) =>
    encode(
      charging(
        fields,
        amount.replace(/\d/, (digit) => String((Number(digit) % 9) + 1)),
      ),
    ),
  // Pix has a zero for no amount
  'an amount of zero': (draw, fields, { amount, currency }) =>
    encode(charging(fields, currency === 'BRL' ? `1${amount}` : draw.pick(['0', '00.', '0.00']))),
  'an amount that is no decimal': (draw, fields, { amount }) =>
    encode(
      charging(fields, draw.pick([`${amount} `, `1e3`, `-${amount}`, `${amount},0`, '', '.'])),
    ),
  'another currency': (draw, fields) => {
    const own = new Map(fields).get('53') ?? '';
    const others = ['978', '156', '036', '86', ''].filter((number) => number !== own);
    return encode(replaced(fields, '53', draw.pick(others)));
  },
  'no currency': (_draw, fields) => encode(without(fields, '53')),
  'further payments of Pix': (_draw, fields) =>
    encode([...fields, template('80', ['00', 'br.gov.bcb.pix'], ['25', 'bank.example/rec/1'])]),
  'a tip that is asked for': (_draw, fields) => encode(inserted(fields, ['55', '01'])),
  'a fixed tip': (draw, fields) =>
    encode(inserted(inserted(fields, ['55', '02']), ['56', `${1 + draw.integer(99)}.00`])),
  'a tip without its kind': (draw, fields) =>
    encode(inserted(fields, [draw.pick(['56', '57']), `${1 + draw.integer(9)}`])),
  'the amount twice': (draw, fields, { amount }) => {
    const own: Field = ['54', amount];
    const other: Field = ['54', `${amount}9`];
    const pair = draw.chance(0.5) ? [own, other] : [other, own];
    return encode(pair.reduce(inserted, without(fields, '54')));
  },
  'the account twice': (_draw, fields) => encode([...fields, fields[1] ?? ['26', 'x'], ...fields]),
  'a length past the end': (draw, fields) =>
    withChecksum(`${fieldsText(fields)}80${90 + draw.integer(10)}short`),
  'a length that is no number': (draw, fields) =>
    withChecksum(`${fieldsText(fields)}80${draw.pick(['-1', '0x', ' 4', '٠٤', 'AB'])}abcd`),
  'cut off': (draw, fields) => {
    const code = encode(fields);
    return code.slice(0, 6 + draw.integer(code.length - 7));
  },
  'cut off before the checksum': (_draw, fields) => fieldsText(fields),
  'something after the checksum': (draw, fields) => {
    const more: Field = ['80', digits(draw, 8)];
    const code = encode(fields);
    return draw.chance(0.5) ? code + fieldsText([more]) : withChecksum(code + fieldsText([more]));
  },
  'a checksum that is too long': (_draw, fields) => {
    const text = `${fieldsText(fields)}6308`;
    return `${text}0000${checksum(`${text}0000`)}`;
  },
  'a long code with a wrong end': (_draw, fields) => {
    const filler: Field[] = Array.from({ length: 28 }, (_, at) => [String(64 + at), nested(20)]);
    return `${encode([...fields, ...filler])}0`;
  },
};

export const tamperings = Object.keys(tampering);

/** @param way one of `tamperings` */
export function tamperedCode(draw: Draw, charge: Charge, way: string): string {
  const tamper = tampering[way];
  if (!tamper) throw new Error(`no tampering ${way}`);
  return tamper(draw, drawFields(draw, charge).fields, charge);
}
