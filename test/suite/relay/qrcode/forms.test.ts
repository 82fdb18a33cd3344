/** Codes and links of every form: what charges the order is shown, and nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkCode,
  noCodeRules,
  type Charge,
  type CheckedCode,
  type CodeRules,
} from '../../../../relay/qrcode/check-code.js';
import { checksum, fieldsText, type Field } from '../../support/merchant-codes.js';
import {
  publishedCodes,
  sbpLink,
  STATIC_DUITNOW_CODE,
  STATIC_SBP_LINK,
} from '../../support/published-codes.js';

const charge = (amount: string, currency: string, payCurrency = currency): Charge => ({
  amount,
  currency,
  payCurrency,
});
const verdict = (code: string, of: Charge, rules = noCodeRules): string =>
  checkCode(code, of, rules).verdict;
const payeeOf = (checked: CheckedCode): string | null =>
  'payee' in checked ? checked.payee : null;
const amountOf = (checked: CheckedCode): object | null =>
  checked.verdict === 'right' ? checked.codeAmount : null;

const SBP = 'https://qr.nspk.ru/AD10006M8KH234K782OQM0L13JI31LQD';
const sbp = (query: string, link = SBP): string => `${link}?${query}`;
const SBP_QUERY = 'type=02&bank=100000000007&sum=1250&cur=RUB&crc=AB75';
const roubles = charge('12.50', 'RUB');
const euros = charge('12.50', 'EUR');

const EPC = [
  ...['BCD', '002', '1', 'SCT', '', 'Bean and Leaf', 'DE89370400440532013000', 'EUR12.50'],
  ...['', '', 'Order 42', ''],
];
const epc = (line: number, text: string, end = '\n'): string =>
  EPC.map((own, at) => (at === line ? text : own)).join(end);

const SPC = [
  ...['SPC', '0200', '1', 'CH4431999123000889012', 'S', 'Robert Schneider AG', 'Rue du Lac'],
  ...['1268', '2501', 'Biel', 'CH', '', '', '', '', '', '', '', '1949.75', 'CHF', 'S'],
  ...['Pia Rutschmann', 'Marktgasse', '28', '9400', 'Rorschach', 'CH', 'QRR'],
  ...['210000000003139471430009017', 'Order 42', 'EPD'],
];
const spc = (line: number, text: string): string =>
  SPC.map((own, at) => (at === line ? text : own)).join('\r\n');
/** The amount is 1949.75 where each line end counts, and 99.00 where one kind does. */
const inTwoWays = SPC.map((own, at) => {
  const changed: Readonly<Record<number, string>> = {
    ...{ 6: 'Rue\ndu\nLac', 16: '1949.75', 17: 'CHF', 18: '99.00', 28: 'EPD' },
  };
  return changed[at] ?? own;
}).join('\r\n');
const francs = charge('1949.75', 'CHF');

const SOLANA = 'solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v';
const ETHER = '0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359';

describe('a published code', () => {
  for (const { charge: of, code, payee, source } of publishedCodes)
    it(`is shown for its own charge, and for no other: ${source}`, () => {
      const checked = checkCode(code, of, noCodeRules);
      assert.deepEqual(checked, { verdict: 'right', payee, codeAmount: null });
      assert.equal(verdict(code, of, { check: 'required', payees: [] }), 'right');
      assert.equal(verdict(code, { ...of, amount: '7.77' }), 'wrong');
      assert.equal(verdict(code, charge(of.amount, 'JPY')), 'wrong');
    });
});

describe('a refused code', () => {
  const wrong = (code: string, of: Charge, rules = noCodeRules) => {
    const checked = checkCode(code, of, rules);
    return checked.verdict === 'wrong' ? checked.codeAmount : checked.verdict;
  };
  it('says what it charges, as far as that can be read', () => {
    const { charge: of, code } = sbpLink;
    const { amount, currency } = of;
    assert.deepEqual(wrong(code, { ...of, amount: '7.77' }), { amount, currency });
    assert.deepEqual(wrong(STATIC_DUITNOW_CODE, charge('1', 'JPY')), { currency: 'MYR' });
    assert.equal(wrong(`${code}&sum=2`, of), null, 'broken');
    assert.equal(wrong('words', of, { check: 'required', payees: [] }), null, 'of no form');
  });
});

describe('a published code without an amount', () => {
  it('asks for the amount, and names its account', () => {
    const ringgit = charge('12.50', 'MYR');
    const payees = ['account:603346/MD00129546'];
    assert.deepEqual(checkCode(STATIC_DUITNOW_CODE, ringgit, { check: 'required', payees }), {
      verdict: 'right',
      payee: 'MASJID NEGARA',
      codeAmount: { currency: 'MYR' },
    });
  });
});

describe('a link of SBP', () => {
  it('is right with the sum in kopecks, in capitals too, and with a bank’s scheme', () => {
    for (const link of [
      sbp(SBP_QUERY),
      sbp(SBP_QUERY).toUpperCase(),
      sbp(SBP_QUERY, SBP.replace('https', 'bank100000000111')),
      sbp('sum=1250&cur=RUB'),
    ])
      assert.equal(verdict(link, roubles), 'right', link);
  });

  for (const [what, link] of [
    ['another host', sbp(SBP_QUERY, SBP.replace('qr.nspk.ru', 'qr.nspk.ru.evil.example'))],
    ['a user of its name', SBP.replace('qr.nspk.ru', 'qr.nspk.ru@evil.example')],
    ['another host of the system', sbp(SBP_QUERY, SBP.replace('qr.', 'sub.'))],
    ['a host in another script', sbp(SBP_QUERY, SBP.replace('nspk', 'nsрk'))],
    ['a host with a dot at its end', sbp(SBP_QUERY, SBP.replace('.ru', '.ru.'))],
    ['a port', sbp(SBP_QUERY, SBP.replace('.ru', '.ru:8443'))],
    ['a user before the host', sbp(SBP_QUERY, SBP.replace('//', '//qr.nspk.ru@evil.example/'))],
    ['a backslash', sbp(SBP_QUERY, SBP.replace('//', '\\\\'))],
    ['no encryption', sbp(SBP_QUERY, SBP.replace('https', 'http'))],
    ['a longer path', sbp(SBP_QUERY, `${SBP}/pay`)],
    ['the sum twice', sbp(`${SBP_QUERY}&sum=1250`)],
    ['the sum twice, once in capitals', sbp(`SUM=100&${SBP_QUERY}`)],
    ['the sum again after a semicolon', sbp(`${SBP_QUERY};sum=100`)],
    ['the sum again after a fragment', sbp(`${SBP_QUERY}#&sum=100`)],
    ['the sum 0', sbp(SBP_QUERY.replace('1250', '0'))],
    ['the sum in roubles', sbp(SBP_QUERY.replace('1250', '12.50'))],
    ['the sum in whole roubles', sbp(SBP_QUERY.replace('1250', '12'))],
    ['an empty sum', sbp(SBP_QUERY.replace('1250', ''))],
    ['no currency', sbp(SBP_QUERY.replace('&cur=RUB', ''))],
    ['another currency', sbp(SBP_QUERY.replace('RUB', 'USD'))],
    ['a broken escape', sbp(`${SBP_QUERY}&x=%E0%A4`)],
    ['a host with the name in it', sbp(SBP_QUERY, SBP.replace('qr.nspk', 'qr-nspk'))],
    ['a host that begins with the name', sbp('sum=1250', SBP.replace('qr.nspk', 'nspk-pay'))],
    ['wide letters', SBP.replace('nspk', 'ｎｓｐｋ')],
    ['a host in another script, as it is sent', SBP.replace('nspk', 'xn--nsk-1ed')],
    ['a foreign host, and only its sum', sbp('sum=1250&cur=RUB', 'https://pay.example/AD1')],
  ] as const)
    it(`is wrong when it has ${what}`, () => assert.equal(verdict(link, roubles), 'wrong', link));

  it('is no link of SBP when a shop’s own page has a sum, or its host other words', () => {
    for (const link of [
      'https://pay.example/checkout?sum=12.50&cur=RUB',
      'https://оплата.example/checkout?sum=12.50',
      'https://transpk.example/AD',
    ])
      assert.equal(verdict(link, roubles), 'unknown', link);
  });

  it('asks for the amount only in a code for many payments', () => {
    const plain = { verdict: 'right', payee: null };
    const many = checkCode(STATIC_SBP_LINK, roubles, noCodeRules);
    assert.deepEqual(many, { ...plain, codeAmount: { currency: 'RUB' } });
    for (const link of [SBP, sbp('type=02&bank=100000000007&crc=AB75')])
      assert.deepEqual(checkCode(link, roubles, noCodeRules), { ...plain, codeAmount: null }, link);
  });

  it('is right without a comparison when the order is priced in another currency', () => {
    const checked = checkCode(sbp(SBP_QUERY), charge('0.15', 'USD', 'RUB'), noCodeRules);
    assert.deepEqual(amountOf(checked), { amount: '12.5', currency: 'RUB' });
    assert.equal(verdict(sbp(SBP_QUERY), charge('12.50', 'USD')), 'wrong');
  });
});

describe('a code of EPC069-12', () => {
  it('is right with either kind of line end, with fewer lines, and as an instant one', () => {
    const short = EPC.slice(0, 8).join('\n');
    for (const code of [epc(0, 'BCD'), epc(0, 'BCD', '\r\n'), short, epc(3, 'INST')])
      assert.equal(verdict(code, euros), 'right', JSON.stringify(code));
  });

  for (const [what, code] of [
    ['two amounts in one line', epc(7, 'EUR12.50EUR1.00')],
    ['a second amount after its end', `${epc(0, 'BCD')}x\nEUR1.00`],
    ['an amount with a comma', epc(7, 'EUR12,50')],
    ['another currency', epc(7, 'USD12.50')],
    ['the amount 0', epc(7, 'EUR0.00')],
    ['an amount without a currency', epc(7, '12.50')],
    ['an account with a wrong checksum', epc(6, 'DE89370400440532013001')],
    ['no account', epc(6, '')],
    ['no payee', epc(5, '')],
    ['another service', epc(3, 'SDD')],
    ['a line that only some apps end', epc(5, 'Bean\rand Leaf')],
    ['a line that a separator ends', epc(5, 'Bean\u2028and Leaf')],
    ['one line end of another kind', epc(0, 'BCD').replace('\n', '\r\n')],
    [
      'a second account, for an app that divides at one line end',
      'BCD\r\n002\r\n1\r\nSCT\r\n\r\nBean\nDE89370400440532013000\nEUR12.50\n' +
        'BE72000000001616\r\nEUR99\r\n\r\n',
    ],
    ['UTF-16', epc(0, 'BCD').replace(/[^]/g, '$&\0')],
    ['UTF-16 with its first bytes first', epc(0, 'BCD').replace(/[^]/g, '\0$&')],
    ['nothing after its name', 'BCD\n002'],
  ] as const)
    it(`is wrong when it has ${what}`, () => assert.equal(verdict(code, euros), 'wrong'));

  it('asks for the amount when it has none', () =>
    assert.deepEqual(amountOf(checkCode(epc(7, ''), euros, noCodeRules)), { currency: 'EUR' }));
});

describe('a code of Raast', () => {
  const IBAN = 'PK61TMFB0000000098214843';
  const raast = (more: Field[], account = IBAN): string => {
    const text = fieldsText([['00', '02'], ['01', '12'], ['02', '00'], ['04', account], ...more]);
    return `${text}1004${checksum(`${text}1004`)}`;
  };
  const own: Field = ['05', '500'];
  const rupees = charge('500', 'PKR');
  const LISTED: CodeRules = { check: 'required', payees: [`account:${IBAN}`] };

  it('is right with its account, and asks for the amount when it has none', () => {
    const code = '0002020102120202000424PK61TMFB0000000098214843050350007120205202618571004782A';
    assert.equal(raast([own, ['07', '020520261857']]), code);
    assert.equal(verdict(code, rupees, LISTED), 'right');
    assert.deepEqual(amountOf(checkCode(raast([]), rupees, LISTED)), { currency: 'PKR' });
    const other: CodeRules = { check: 'when_known', payees: ['account:x'] };
    assert.equal(verdict(code, rupees, other), 'another_payee');
  });

  for (const [what, code] of [
    ['another amount', raast([['05', '501']])],
    ['two amounts', raast([own, ['05', '501']])],
    ['the amount 0', raast([['05', '0']])],
    ['a field of EMVCo’s form', raast([own, ['54', '99999']])],
    ['an account with a wrong checksum', raast([own], IBAN.replace('98', '89'))],
    ['a wrong checksum', raast([own]).replace(/.{4}$/, '0000')],
  ] as const)
    it(`is wrong when it has ${what}`, () => assert.equal(verdict(code, rupees), 'wrong', code));
});

describe('a code of a transfer in Ukraine', () => {
  const uct = (sum: string, ...more: string[]): string =>
    [
      ...['BCD', '001', '1', 'UCT', '', 'Боби і листя', 'UA213223130000026007233566001', sum],
      ...['43720363', '', '', 'Замовлення 42', '', ...more],
    ].join('\r\n');
  const hryvnias = charge('100.50', 'UAH');

  it('is right with its payee, and asks for the amount when it has none', () => {
    assert.deepEqual(checkCode(uct('UAH100.5'), hryvnias, noCodeRules), {
      verdict: 'right',
      payee: 'Боби і листя',
      codeAmount: null,
    });
    assert.deepEqual(amountOf(checkCode(uct(''), hryvnias, noCodeRules)), { currency: 'UAH' });
  });

  it('is wrong with another amount or currency, and with a further line', () => {
    for (const code of [uct('UAH100.51'), uct('EUR100.50'), uct('UAH100.50', 'UAH1', '')])
      assert.equal(verdict(code, hryvnias), 'wrong', code);
    assert.equal(verdict(epc(7, 'UAH12.50'), charge('12.50', 'UAH')), 'wrong');
  });
});

describe('a Swiss QR-bill', () => {
  it('is right with its payee, and with what may follow its data', () => {
    assert.equal(payeeOf(checkCode(spc(0, 'SPC'), francs, noCodeRules)), 'Robert Schneider AG');
    assert.equal(verdict(`${spc(0, 'SPC')}\r\n//S1/10/10201409`, francs), 'right');
  });

  for (const [what, code] of [
    ['another amount', spc(18, '1949.57')],
    ['an amount of a notice', spc(18, '0.00')],
    ['an amount with a separator', spc(18, "1'949.75")],
    ['another currency', spc(19, 'EUR')],
    ['an account with a wrong checksum', spc(3, 'CH4431999123000889013')],
    ['no payee', spc(5, '')],
    ['a cut after its amount', SPC.slice(0, 20).join('\r\n')],
    ['a cut before its end', SPC.slice(0, -1).join('\r\n')],
    ['one line more before its end', spc(17, '\n')],
    ['too many lines', `${spc(0, 'SPC')}\r\na\r\nb\r\nc\r\nd`],
    ['another version', spc(1, '0100')],
    ['another amount, for an app that divides at one line end', inTwoWays],
  ] as const)
    it(`is wrong when it has ${what}`, () => assert.equal(verdict(code, francs), 'wrong'));

  it('asks for the amount when it has none', () =>
    assert.deepEqual(amountOf(checkCode(spc(18, ''), francs, noCodeRules)), { currency: 'CHF' }));
});

describe('a link to a chain with tokens', () => {
  it('compares the chain’s own coin, and no token, whose units it does not know', () => {
    const ether = charge('1', 'ETH');
    for (const value of ['1e18', '.1e19', '1.00e18'])
      assert.equal(verdict(`ethereum:${ETHER}@1?value=${value}`, ether), 'right', value);
    for (const value of ['e18', '.', '.e18', '.5'])
      assert.equal(verdict(`ethereum:${ETHER}@1?value=${value}`, ether), 'wrong', value);
    assert.equal(verdict(`ethereum:pay-${ETHER}?value=1000000000000000000`, ether), 'right');
    const token = `ethereum:${ETHER}@1/transfer?address=${ETHER}&uint256=1e6`;
    const required: CodeRules = { check: 'required', payees: [] };
    assert.equal(verdict(token, charge('1', 'USDT')), 'right');
    assert.equal(verdict(token, charge('1', 'USDT'), required), 'wrong');
    const mint = `${SOLANA}?amount=1&spl-token=${MINT}`;
    assert.equal(verdict(mint, charge('2', 'USDC')), 'right');
    assert.equal(verdict(mint, charge('2', 'USDC'), required), 'wrong');
  });

  for (const [what, link, of] of [
    ['a fraction of the smallest unit', `ethereum:${ETHER}?value=1.5`, charge('1', 'ETH')],
    ['another value', `ethereum:${ETHER}?value=1e19`, charge('1', 'ETH')],
    ['a call that gives away more', `ethereum:${ETHER}/approve?uint256=1`, charge('1', 'USDT')],
    [
      'a transfer of both coin and token',
      `ethereum:${ETHER}/transfer?address=${ETHER}&value=1`,
      charge('1', 'USDT'),
    ],
    ['a transaction to sign', 'web+stellar:tx?xdr=AAAA', charge('1', 'XLM')],
    ['an amount with a sign', `${SOLANA}?amount=-1`, charge('1', 'SOL')],
    ['no token’s mint', `${SOLANA}?amount=1&spl-token=`, charge('1', 'USDC')],
    ['something else for a mint', `${SOLANA}?amount=1&spl-token=x`, charge('1', 'USDC')],
    ['its token in capitals', `${SOLANA}?amount=1&SPL-TOKEN=${MINT}`, charge('1', 'USDC')],
    [
      'its token behind a semicolon',
      `${SOLANA}?amount=1&label=x;spl-token=${MINT}`,
      charge('1', 'USDC'),
    ],
  ] as const)
    it(`is wrong when it has ${what}`, () => assert.equal(verdict(link, of), 'wrong', link));

  it('reads a tag’s link of deposits as a payment without an amount', () => {
    const xrp = charge('5', 'XRP');
    const link = 'ripple:rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe?dt=0';
    assert.deepEqual(amountOf(checkCode(link, xrp, noCodeRules)), { currency: 'XRP' });
  });
});
