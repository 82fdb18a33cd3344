/**
 * Honest codes of each form, and the same codes tampered with. The honest codes come from packages
 * that others wrote. Where there is none of a fair size, a published code gets another amount.
 */
import { bech32 } from '@scure/base';
import { encode as coinUri } from 'bip21';
import { build as ethereumUri } from 'eth-url-parser';
import epcCode from 'sepa-payment-qr-code';
import upi from 'upiqr';
import { digits, type CodeForm, type Tamper } from './code-form.js';
import { merchantCodeForms } from './merchant-code-forms.js';
import type { Charge, Draw } from './merchant-codes.js';
import { invoice, sbpLink, solanaUri, stellarUri } from './published-codes.js';
import { swissBill } from './swiss-bill-code.js';

const NAMES = ['Bean & Leaf', 'Café São João', 'Fulano de Tal', '東京コーヒー'];

const inserted = (draw: Draw, text: string, added: string): string => {
  const at = 12 + draw.integer(text.length - 13);
  return text.slice(0, at) + added + text.slice(at);
};
const invisible: Tamper = (draw, code) =>
  inserted(draw, code, draw.pick(['\0', '\u200b', '\u202e']));

const more =
  (...added: string[]): Tamper =>
  (draw, code) =>
    `${code}${code.includes('?') ? '&' : '?'}${draw.pick(added)}`;

/** Ways that break each link with fields. */
const linkTampering = (field: string, wrong: string, odd = 'x'): CodeForm['tampering'] => ({
  'the amount twice': more(`${field}=${wrong}`),
  'the amount twice, in capitals': more(`${field.toUpperCase()}=${wrong}`),
  'the amount twice, its name escaped': more(
    `%${field.charCodeAt(0).toString(16)}${field.slice(1)}=${wrong}`,
  ),
  'the amount again after a semicolon': more(`x=1;${field}=${wrong}`),
  'the amount where only some apps see it': (draw, code) =>
    code.replace(new RegExp(`([?&])(?=${field}=)`, 'i'), `$1x=1${draw.pick([';', '?', '#&'])}`),
  'an amount in a fragment': (_draw, code) => `${code}#&${field}=${wrong}`,
  'a broken escape': more(`${odd}=%E0%A4`),
  'an amount that is no decimal': (draw, code) =>
    code.replace(
      new RegExp(`([?&]${field}=)[^&]*`, 'i'),
      `$1${draw.pick(['1e3', '-1', '1,5', '.5', 'NaN', '0', '0x10', '1 2', '٣'])}`,
    ),
  'an invisible character': invisible,
});

/** Ways that break each link to a coin: wallets for several coins read it by rules of their own. */
const coinTampering = (field: string, wrong: string): CodeForm['tampering'] => ({
  ...linkTampering(field, wrong),
  'a field by which a wallet reads another form': more(
    ...['address=x', 'tx_amount=7', 'to=x', 'TO=x', 'recipient=x', 'tx%5Famount=7'],
  ),
  'a further link in a field': more(
    ...['x=bitcoin:y', 'x=BITCOIN:y', 'x=lightning:lnbc1', 'x=lightning=lnbc1', 'x=Solana%3Ay'],
  ),
  'a second question mark': more('x=1?&y=1'),
});

const lineTampering = (line: number, wrong: string): CodeForm['tampering'] => {
  const changed =
    (at: number, text: string): Tamper =>
    (_draw, code) =>
      code
        .split('\n')
        .map((own, index) => (index === at ? text : own))
        .join('\n');
  const account = (code: string): number =>
    code.split('\n').findIndex((each) => /^[A-Z]{2}\d{12}/.test(each));
  return {
    'an amount that is no decimal': (draw, code) =>
      changed(line, draw.pick([`${wrong}${wrong}`, `${wrong},5`, `-${wrong}`, '1e3', 'x']))(
        draw,
        code,
        '',
      ),
    'a line that only some apps end': (_draw, code) => code.replace('\n', '\r'),
    'a line end of the other kind': (_draw, code) =>
      code.includes('\r\n') ? code.replace('\r\n', '\n') : code.replace('\n', '\r\n'),
    'a separator of lines': (draw, code) => inserted(draw, code, '\u2028'),
    'an account with another digit': (draw, code) => {
      const lines = code.split('\n');
      const at = account(code);
      const own = lines[at] ?? '';
      const place = 4 + draw.integer(own.length - 4);
      const digit = String((Number(own[place]) + 1 + draw.integer(9)) % 10);
      return changed(at, own.slice(0, place) + digit + own.slice(place + 1))(draw, code, '');
    },
    'cut before its amount': (draw, code) =>
      code
        .split('\n')
        .slice(0, 2 + draw.integer(4))
        .join('\n'),
    'more lines than the form has': (_draw, code) => `${code}\na\nb\nc\nd\ne\nf\ng`,
    'UTF-16': (_draw, code) => code.replace(/[^]/g, '$&\0'),
    'an invisible character': invisible,
  };
};

const bitcoinAddress = (draw: Draw): string =>
  draw.pick([
    '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
  ]);
const ETHEREUM_ADDRESS = '0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359';

const withAmount = (link: string, field: string, amount: string): string =>
  link.replace(new RegExp(`([?&]${field}=)[^&]*`), `$1${amount}`);

const unitsOf = (amount: string, places: number): string => {
  const [whole = '', fraction = ''] = amount.split('.');
  return (whole + fraction.padEnd(places, '0')).replace(/^0+/, '');
};

const INVOICE_WORDS = bech32.decodeUnsafe(invoice.code as 'ln1', false)?.words ?? [];

export const codeForms: Readonly<Record<string, CodeForm>> = {
  ...merchantCodeForms,
  'SBP, published': {
    currency: 'RUB',
    places: 2,
    account: null,
    honest: (_draw, amount) => withAmount(sbpLink.code, 'sum', unitsOf(amount, 2)),
    tampering: {
      ...linkTampering('sum', '777'),
      'another host': (draw, code) =>
        code.replace(
          'qr.nspk.ru',
          draw.pick([
            'qr.nspk.ru.evil.example',
            'qr.nsрk.ru',
            'qr.nspk.ru:81',
            'a@qr.nspk.ru',
            'x.ru',
          ]),
        ),
      'another host, and only the sum': (draw, code) =>
        code
          .replace(/type=.*&sum/, 'sum')
          .replace(
            'qr.nspk.ru',
            draw.pick(['qr-nspk.ru', 'qr.nsрk.ru', 'qr.xn--nsk-1ed.ru', 'x.ru']),
          ),
      'the sum in roubles': (_draw, code, amount) => withAmount(code, 'sum', `${Number(amount)}`),
      'another currency': (_draw, code) => code.replace('RUB', 'USD'),
      'no currency': (_draw, code) => code.replace('&cur=RUB', ''),
      'no encryption': (_draw, code) => code.replace('https', 'http'),
    },
  },
  'UPI by upiqr': {
    currency: 'INR',
    places: 2,
    account: /[?&]pa=([^&]*)/,
    honest: async (draw, amount) =>
      (
        await upi({
          payeeVPA: `shop${digits(draw, 6)}@okaxis`,
          payeeName: draw.pick(NAMES),
          amount,
          transactionRef: digits(draw, 8),
        })
      ).intent,
    tampering: {
      // shops write notes that are not escaped, so only a field of the payment is broken by it
      ...linkTampering('am', '7.77', 'cu'),
      'another minimum': (_draw, code) => `${code}&mam=0.01`,
      'another currency': (_draw, code) => `${code.replace(/&cu=\w+/, '')}&cu=USD`,
      'a mandate': (_draw, code) => code.replace('//pay', '//mandate'),
      'no account': (_draw, code) => code.replace(/pa=[^&]*/, 'pa='),
    },
  },
  'EPC069-12 by sepa-payment-qr-code': {
    currency: 'EUR',
    places: 2,
    account: /\n([A-Z]{2}\d[0-9A-Z]{10,})\n/,
    honest: (draw, amount) =>
      epcCode({
        name: draw.pick(NAMES),
        iban: draw.pick([
          'DE89370400440532013000',
          'BE72000000001616',
          'FR7630006000011234567890189',
        ]),
        amount: Number(amount),
        unstructuredReference: `Order ${digits(draw, 6)}`,
      }),
    tampering: {
      ...lineTampering(7, 'EUR7'),
      'another currency': (_draw, code) => code.replace('\nEUR', '\nUSD'),
      'another service': (_draw, code) => code.replace('SCT', 'SDD'),
    },
  },
  'a transfer in Ukraine': {
    currency: 'UAH',
    places: 2,
    account: /\n(UA\d{27})\n/,
    honest: (draw, amount) =>
      [
        ...['BCD', '001', draw.pick(['1', '2']), 'UCT', '', draw.pick(NAMES)],
        ...['UA213223130000026007233566001', `UAH${amount}`, '43720363', '', '', 'Order 42', ''],
      ].join('\n'),
    tampering: {
      ...lineTampering(7, 'UAH7'),
      'another currency': (_draw, code) => code.replace('\nUAH', '\nEUR'),
      'another service': (draw, code) => code.replace('UCT', draw.pick(['SCT', 'SDD'])),
    },
  },
  'Swiss QR-bill by swissqrbill': {
    currency: 'CHF',
    places: 2,
    account: /\n(CH\d{19})\n/,
    honest: (draw, amount) => swissBill(draw.pick(NAMES.slice(0, 3)), amount, draw.chance(0.5)),
    tampering: {
      ...lineTampering(18, '7'),
      'another currency': (_draw, code) => code.replace('\nCHF', '\nEUR'),
      'no end': (_draw, code) => code.replace('\nEPD', '\n'),
      'one line less': (_draw, code) => code.replace('\n\n', '\n'),
    },
  },
  'Bitcoin by bip21': {
    currency: 'BTC',
    places: 8,
    account: /:(\w+)/,
    strangers: [
      '&bc=bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      `&sp=sp1q${'q'.repeat(112)}`,
      '&pj=https://evil.example/',
      '&lnaddr=eve@evil.example',
    ],
    honest: (draw, amount) =>
      coinUri(bitcoinAddress(draw), { amount, label: draw.pick(NAMES), message: digits(draw, 6) }),
    tampering: {
      ...coinTampering('amount', '7.77'),
      'an unknown field that is required': (_draw, code) => `${code}&req-x=1`,
      'a request on a server': (_draw, code) => `${code}&r=https://pay.example/1`,
      'a link of Lightning to a server': (_draw, code) => `${code}&lnurl=LNURL1DP68`,
      'an invoice of another amount': (_draw, code) => `${code}&lightning=${invoice.code}`,
      'another coin': (_draw, code) => code.replace('bitcoin:', 'litecoin:'),
      'a token of its network': (_draw, code) => `${code}&currency=USD`,
      'an address of a test network': (_draw, code) =>
        code.replace(/:\w+/, ':tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'),
    },
  },
  'XRP with a tag': {
    currency: 'XRP',
    places: 6,
    account: /:(\w+)\?.*&dt=(\d+)/,
    honest: (draw, amount) =>
      `ripple:rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe?amount=${amount}&dt=1${digits(draw, 6)}`,
    tampering: {
      ...coinTampering('amount', '7.77'),
      'another name of its tag': (draw, code) =>
        `${code}&${draw.pick(['tag', 'dtag', 'destinationtag'])}=666`,
      'another address': (draw, code) =>
        code.replace('?', `?${draw.pick(['to=', ''])}rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY&`),
      'another name of the amount': (_draw, code) => `${code}&amt=7.77`,
      'what a wallet finds before the address': more(
        'x=X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ',
        ...['7B'.repeat(34), 'label=bean$pay.example', 'label=bean%24pay.example'],
      ),
      'no number for a tag': (draw, code) =>
        code.replace(/dt=\d+/, `dt=${draw.pick(['', 'abc', '05', '4294967296', '99999999999'])}`),
      'a token': (draw, code) =>
        code +
        draw.pick(['&currency=USD', '&iou=USD', '&issuer=rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY']),
      'another coin': (_draw, code) => code.replace('ripple:', 'bitcoin:'),
    },
  },
  'Lightning, published': {
    currency: 'BTC',
    places: 11,
    account: null,
    honest: (_draw, amount) => bech32.encode(`lnbc${unitsOf(amount, 12)}p`, INVOICE_WORDS, false),
    tampering: {
      'another amount in it': (_draw, code) => code.replace('lnbc', 'lnbc1'),
      'one character changed': (draw, code) => {
        const at = code.lastIndexOf('1') + 1 + draw.integer(100);
        return code.slice(0, at) + (code[at] === 'q' ? 'p' : 'q') + code.slice(at + 1);
      },
      'cut off': (draw, code) => code.slice(0, -1 - draw.integer(50)),
      'a field behind it': (_draw, code) => `${code}?amount=1`,
      'another network': (_draw, code) =>
        bech32.encode(`lntb${code.slice(4, code.lastIndexOf('1'))}`, INVOICE_WORDS, false),
    },
  },
  'Ethereum by eth-url-parser': {
    currency: 'ETH',
    places: 18,
    account: /:(\w+)/,
    honest: (_draw, amount) =>
      ethereumUri({
        scheme: 'ethereum',
        target_address: ETHEREUM_ADDRESS,
        chain_id: '1',
        parameters: { value: unitsOf(amount, 18), gas: '21000' },
      }),
    tampering: {
      ...coinTampering('value', '777'),
      'a call of a contract': (_draw, code) => code.replace('@1?', '@1/approve?'),
      'a transfer of tokens too': (_draw, code) =>
        `${code.replace('@1?', '@1/transfer?')}&address=${ETHEREUM_ADDRESS}&uint256=1`,
      'no address': (_draw, code) => code.replace(ETHEREUM_ADDRESS, '0x1'),
      'another network': (draw, code) =>
        code.replace('@1?', draw.pick(['@56?', '@250?', '@11155111?'])),
      'a transfer of tokens': () =>
        `ethereum:${ETHEREUM_ADDRESS}@1/transfer?address=${ETHEREUM_ADDRESS}&uint256=1e18`,
      'an amount of another form': (draw, code) =>
        code + draw.pick(['&amount=7.77', `&contractAddress=${ETHEREUM_ADDRESS}`]),
    },
  },
  'Solana Pay, published': {
    currency: 'SOL',
    places: 9,
    account: /:(\w+)/,
    honest: (_draw, amount) => withAmount(solanaUri.code, 'amount', amount),
    tampering: {
      ...coinTampering('amount', '7.77'),
      'no account': (_draw, code) => code.replace(/:\w+/, ':0'),
      'a token': (draw, code) =>
        `${code}&${draw.pick(['spl-token', 'SPL-TOKEN'])}=` +
        draw.pick(['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'x', '']),
      'the amount in capitals': (_draw, code) => code.replace('amount', 'AMOUNT'),
      'its account in one case': (_draw, code) =>
        code.replace(/:\w+/, (account) => account.toLowerCase()),
    },
  },
  'Stellar, published': {
    currency: 'XLM',
    places: 7,
    account: /destination=(\w+)/,
    honest: (_draw, amount) => withAmount(stellarUri.code, 'amount', amount),
    tampering: {
      ...coinTampering('amount', '7.77'),
      'a transaction to sign': (_draw, code) => code.replace(':pay', ':tx'),
      'a token': (draw, code) =>
        code + draw.pick(['&asset_code=USDC', '&asset_code=XLM&asset_issuer=G', '&asset_code=BTC']),
      'no account': (_draw, code) => code.replace('destination', 'target'),
      'the amount in capitals': (_draw, code) => code.replace('amount', 'AMOUNT'),
      'a test network': (_draw, code) => `${code}&network_passphrase=Test`,
      'no number for a memo': (_draw, code) => `${code}&memo_type=MEMO_ID`,
    },
  },
};

const PLACES_MAX = 4;

/** An amount of the form: with all its places only sometimes, because most have few. */
export function drawCharge(draw: Draw, { currency, places }: CodeForm): Charge {
  const whole = String(1 + draw.integer(50_000));
  const shown = Math.min(places, draw.pick([0, 2, PLACES_MAX]));
  return { amount: shown === 0 ? whole : `${whole}.${digits(draw, shown)}`, currency };
}
