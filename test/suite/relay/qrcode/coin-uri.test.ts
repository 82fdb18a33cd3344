/** Links to coins and invoices of Lightning: what charges the order is shown, and nothing else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bech32 } from '@scure/base';
import {
  checkCode,
  noCodeRules,
  type Charge,
  type CheckedCode,
  type CodeRules,
} from '../../../../relay/qrcode/check-code.js';
import { invoice, stellarUri } from '../../support/published-codes.js';

const charge = (amount: string, currency: string, payCurrency = currency): Charge => ({
  amount,
  currency,
  payCurrency,
});
const verdict = (code: string, of: Charge, rules = noCodeRules): string =>
  checkCode(code, of, rules).verdict;
const amountOf = (checked: CheckedCode): object | null =>
  checked.verdict === 'right' ? checked.codeAmount : null;

const bitcoins = charge('0.0025', 'BTC');
const INVOICE = invoice.code;
/** The test vectors of BOLT 12: without an amount, with one, and with one in dollars. */
const OFFER = 'lno1zcss9mk8y3wkklfvevcrszlmu23kfrxh49px20665dqwmn4p72pksese';
const OFFER_END = 'q2p32x2um5ypmx2cm5dae8x93pqthvwfzadd7jejes8q9lhc4rvjxd022zv5l44g6qah82ru5rdpnpj';
const OFFER_OF_10_SATOSHI = `lno1pqpzwy${OFFER_END}`;
const OFFER_IN_DOLLARS = `lno1qcp4256ypqpzwy${OFFER_END}`;
/** Others of its vectors: for the test network, and for the main one by name. */
const OFFER_FOR_TEST = `lno1qgsyxjtl6luzd9t3pr62xr7eemp6awnejusgf6gw45q75vcfqqqqqq${OFFER_END}`;
const OFFER_FOR_MAIN = `lno1qgsxlc5vp2m0rvmjcxn2y34wv0m5lyc7sdj7zksgn35dvxgqqqqqqq${OFFER_END}`;
/** A vector of the spelling: 10 satoshi with a text, in four parts. */
const OFFER_IN_PARTS =
  'lno1pqps7sjqpgt+ yzm3qv4uxzmtsd3jjqer9wd3hy6tsw3+  5k7msjzfpy7nz5yqcn+\nygrfdej82um5wf5k2uckyy' +
  'pwa3eyt44h6txtxquqh7lz5djge4afgfjn7k4rgrkuag0jsd+\r\n 5xvxg';
const ADDRESS = '175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W';
const SEGWIT = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const TEST_NETWORK = 'bitcoin:tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
/** The example of BIP 352. */
const SILENT =
  'sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsv' +
  'gxe2usfpxumr70xc9pkqwv';

describe('a link to a coin', () => {
  const coin = (query: string): string => `bitcoin:${ADDRESS}?${query}`;

  for (const [what, link] of [
    ['another amount', coin('amount=0.00250001')],
    ['an amount twice', coin('amount=0.0025&amount=0.0025')],
    ['an amount twice, once in capitals', coin('amount=0.0025&AMOUNT=1')],
    ['an amount in a list', coin('amount[0]=0.0025')],
    ['an amount in a list too', coin('AMOUNT=0.0025&amount[0]=5')],
    ['an exponent', coin('amount=25e-4')],
    ['the amount 0', coin('amount=0')],
    ['an unknown field that is required', coin('amount=0.0025&req-something=50')],
    ['a request on a server', coin('amount=0.0025&r=https://pay.example/1')],
    ['a link of Lightning to a server', coin('amount=0.0025&lnurl=LNURL1DP68')],
    ['its amount behind a semicolon', coin('label=x;amount=0.0025')],
    ['an amount whose name begins with a space', coin(' amount=9')],
    ['an amount behind a second question mark', coin('?amount=9')],
    ['a question mark that may end its fields', coin('label=x?&amount=0.0025')],
    ['a line break in the name of a second amount', coin('amount=0.0025&am\nount=9')],
    ['an invoice of another amount', coin(`amount=0.002&lightning=${INVOICE}`)],
    ['an invoice that is broken', coin(`amount=0.0025&lightning=${INVOICE.slice(0, -1)}`)],
    ['no address', 'bitcoin:?amount=0.0025'],
    ['only a way on a test network', 'bitcoin:?tb=tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'],
    ['an address of a test network', `${TEST_NETWORK}?amount=0.0025`],
    ['an older one of a test network', 'bitcoin:mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn?amount=0.0025'],
    [
      'a second address of another coin',
      coin('amount=0.0025&bc=LbTjMGN7gELw4KbeyQf6cTCq859hD18guE'),
    ],
    ['two names for one field', coin('amount=0.0025&req-amount=1')],
    ['a token in place of the coin', coin('amount=0.0025&currency=USD')],
    ['an issuer of a token', coin('amount=0.0025&issuer=r1')],
    ['another coin', `litecoin:${ADDRESS}?amount=0.0025`],
    ['a second address for Zeus', coin(`amount=0.0025&label=BITCOIN:${SEGWIT}`)],
    ['an invoice in its label for BlueWallet', coin(`amount=0.0025&label=lightning:${INVOICE}`)],
    ['an invoice in an unknown field', coin(`amount=0.0025&x=lightning=${INVOICE}`)],
    ['an invoice that is escaped', coin(`amount=0.0025&message=Lightning%3A${INVOICE}`)],
    ['an invoice behind the field for one', coin(`lightning=lightning:${INVOICE}`)],
  ] as const)
    it(`is wrong when it has ${what}`, () => assert.equal(verdict(link, bitcoins), 'wrong', link));

  it('is right when each way to pay in it has the same amount', () => {
    for (const link of [
      coin(`amount=0.0025&lightning=${INVOICE}`),
      `bitcoin:?lightning=${INVOICE}`,
      `bitcoin:?lightning=${INVOICE}&amount=0.0025`,
      coin(`lightning=${INVOICE}`),
      `bitcoin:?bc=${SEGWIT}&amount=0.0025`,
      `bitcoin:?sp=${SILENT}&amount=0.0025`,
      coin('amount=0.0025&req-label=Bean'),
      coin('amount=0.0025&message=Thanks?'),
      coin('amount=0.0025&message=Pay%20with%20Bitcoin:%20order%2042'),
      coin('amount=0.0025&message=Bitcoin%3A+order+42'),
      coin('amount=0.0025&somethingyoudontunderstand=50&somethingelseyoudontget=999'),
      `BITCOIN:${ADDRESS}?AMOUNT=0.0025`,
      `BITCOIN:${SEGWIT.toUpperCase()}?amount=0.0025`,
    ])
      assert.equal(verdict(link, bitcoins), 'right', link);
  });

  it('is wrong when a wallet may take address or amount from a field of another form', () => {
    for (const [link, currency] of [
      [coin('amount=0.0025'), 'BTC'],
      [coin('x=1'), 'BTC'],
      ['litecoin:LbTjMGN7gELw4KbeyQf6cTCq859hD18guE?amount=0.0025', 'LTC'],
      ['dogecoin:DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L?amount=0.0025', 'DOGE'],
      ['ripple:rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe?amount=0.0025', 'XRP'],
      ['solana:mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN?amount=0.0025', 'SOL'],
      [stellarUri.code, 'XLM'],
    ] as const) {
      const of = charge(currency === 'XLM' ? stellarUri.charge.amount : '0.0025', currency);
      assert.equal(verdict(link, of), 'right', link);
      for (const name of [
        ...['address', 'tx_amount', 'to', 'recipient', 'value', 'useAllAmount', 'subAccountId'],
      ])
        for (const written of [name, name.toUpperCase(), name.replace('_', '%5F')])
          assert.equal(verdict(`${link}&${written}=5`, of), 'wrong', `${link}&${written}`);
      for (const more of [
        'x=bitcoin:y',
        'x=LIGHTNING:y',
        'x=ethereum:y',
        'x=solana%3Ay',
        'x=LNURL1DP68',
      ])
        assert.equal(verdict(`${link}&${more}`, of), 'wrong', `${link}&${more}`);
    }
  });

  it('proves no amount when the customer may choose it in another way to pay', () => {
    const words = Array.from({ length: 150 }, (_, index) => index % 32);
    const open = bech32.encode('lnbc', words, false);
    const required: CodeRules = { check: 'required', payees: [] };
    for (const more of [`lightning=${open}`, `lno=${OFFER}`, 'creq=CREQB1X']) {
      const link = coin(`amount=0.0025&${more}`);
      assert.equal(verdict(link, bitcoins), 'right', more);
      assert.equal(verdict(link, bitcoins, required), 'wrong', more);
      assert.equal(verdict(coin(`amount=1&${more}`), bitcoins), 'wrong', more);
    }
    assert.equal(verdict(`bitcoin:?lno=${OFFER}&amount=0.0025`, bitcoins), 'right');
  });

  it('compares the amount of an offer of Lightning', () => {
    const required: CodeRules = { check: 'required', payees: [] };
    const own = charge('0.0000001', 'BTC');
    for (const link of [
      `bitcoin:?lno=${OFFER_OF_10_SATOSHI}`,
      coin(`amount=0.0000001&lno=${OFFER_OF_10_SATOSHI.toUpperCase()}`),
    ])
      assert.equal(verdict(link, own, required), 'right', link);
    // a wallet that knows no offers pays the address, and its customer types the amount
    const besideAddress = coin(`lno=${OFFER_OF_10_SATOSHI}`);
    assert.equal(verdict(besideAddress, own, required), 'wrong');
    for (const offer of [OFFER_OF_10_SATOSHI, OFFER_IN_DOLLARS, 'lno1', 'lno1pgpyz', 'lno1pqpzwb'])
      assert.equal(verdict(coin(`amount=0.0025&lno=${offer}`), bitcoins), 'wrong', offer);
  });

  it('is wrong when a link of another coin can be paid in bitcoin', () => {
    const litecoin = 'litecoin:LbTjMGN7gELw4KbeyQf6cTCq859hD18guE?amount=0.0025';
    const litecoins = charge('0.0025', 'LTC');
    assert.equal(verdict(litecoin, litecoins), 'right');
    for (const more of [`lightning=${INVOICE}`, `lno=${OFFER}`, 'creq=CREQB1X', `sp=${SILENT}`])
      assert.equal(verdict(`${litecoin}&${more}`, litecoins), 'wrong', more);
  });

  it('accepts the long address of a confidential payment of Litecoin', () => {
    const address = `ltcmweb1${'q'.repeat(113)}`;
    for (const own of [address, address.toUpperCase()])
      assert.equal(verdict(`litecoin:${own}?amount=5`, charge('5', 'LTC')), 'right');
  });

  it('is no link to a coin when its scheme is the name of something in every object', () =>
    assert.equal(verdict(`constructor:${ADDRESS}`, bitcoins), 'unknown'));

  it('accepts the name of an asset with its network', () =>
    assert.equal(verdict(coin('amount=0.0025'), charge('0.0025', 'BTC_SEGWIT')), 'right'));

  it('reads an amount without digits on one side of its point, as BIP 21 allows', () => {
    assert.equal(verdict(coin('amount=.5'), charge('0.5', 'BTC')), 'right');
    assert.equal(verdict(coin('amount=50.'), charge('50', 'BTC')), 'right');
    assert.equal(verdict(coin('amount=.5'), charge('5', 'BTC')), 'wrong');
    for (const amount of ['.', '', '5..', '..5', '.5.'])
      assert.equal(verdict(coin(`amount=${amount}`), charge('5', 'BTC')), 'wrong', amount);
  });

  it('asks for the amount when it has none', () =>
    assert.deepEqual(amountOf(checkCode(coin(''), bitcoins, noCodeRules)), { currency: 'BTC' }));
});

describe('an invoice of Lightning', () => {
  it('is right with and without its scheme, and in capitals', () => {
    for (const code of [INVOICE, `lightning:${INVOICE}`, INVOICE.toUpperCase()])
      assert.equal(verdict(code, bitcoins), 'right');
  });

  it('is wrong when it is changed, cut, of a test network, or of another amount', () => {
    for (const code of [
      INVOICE.replace('2500u', '2600u'),
      INVOICE.slice(0, -1),
      `${INVOICE}?amount=1`,
      `${INVOICE.slice(0, 20).toUpperCase()}${INVOICE.slice(20)}`,
      INVOICE.replace('lnbc', 'lntb'),
    ])
      assert.equal(verdict(code, bitcoins), 'wrong', code);
    assert.equal(verdict(INVOICE, charge('0.0026', 'BTC')), 'wrong');
  });
});

describe('an offer of Lightning by itself', () => {
  const satoshi = charge('0.0000001', 'BTC');
  const required: CodeRules = { check: 'required', payees: [] };
  /** A record of 10 satoshi. */
  const AMOUNT = [8, 2, 0x27, 0x10];
  const offerOf = (...records: number[][]): string => {
    const words = bech32.toWords(Uint8Array.from(records.flat()));
    return bech32.encode('lno', words, false).slice(0, -6);
  };

  it('is compared with and without its scheme, and in capitals', () => {
    for (const code of [OFFER_OF_10_SATOSHI, `lightning:${OFFER_OF_10_SATOSHI}`])
      for (const offer of [code, code.toUpperCase()]) {
        assert.equal(verdict(offer, satoshi, required), 'right', offer);
        assert.equal(verdict(offer, bitcoins), 'wrong', offer);
      }
    for (const offer of [OFFER_IN_DOLLARS, 'lno1pgpyz', `${OFFER_OF_10_SATOSHI}?amount=1`])
      assert.equal(verdict(offer, satoshi), 'wrong', offer);
    assert.equal(verdict(OFFER_OF_10_SATOSHI, charge('0.0000001', 'BTC', 'BTC_BEP20')), 'wrong');
  });

  it('is read in one part or several', () => {
    for (const offer of [OFFER_IN_PARTS, OFFER_IN_PARTS.replace('l', 'l+')])
      assert.equal(verdict(offer, charge('0.00001', 'BTC'), required), 'right', offer);
    for (const offer of [`+${OFFER}`, `${OFFER}+`, OFFER.replace('no', '++no')])
      assert.notEqual(verdict(offer, bitcoins), 'right', offer);
  });

  it('is wrong on a test network, and when its records are out of order', () => {
    assert.equal(verdict(OFFER_FOR_MAIN, bitcoins), 'right');
    assert.equal(verdict(OFFER_FOR_TEST, bitcoins), 'wrong');
    assert.equal(verdict(offerOf(AMOUNT, AMOUNT), satoshi), 'wrong');
  });

  it('proves no amount when the customer chooses the number of pieces', () => {
    for (const [max, checked] of [
      [[5], 'wrong'],
      [[], 'wrong'],
      [[1], 'right'],
    ] as const) {
      const offer = offerOf(AMOUNT, [20, max.length, ...max]);
      assert.equal(verdict(offer, satoshi), 'right');
      for (const link of [offer, `bitcoin:?lno=${offer}`])
        assert.equal(verdict(link, satoshi, required), checked, link);
    }
  });

  it('asks for the amount where the customer chooses it', () => {
    assert.deepEqual(amountOf(checkCode(OFFER, bitcoins, noCodeRules)), { currency: 'BTC' });
    assert.equal(verdict(OFFER, bitcoins, required), 'wrong');
  });

  it('is the account that it pays', () => {
    const payees = [`account:${OFFER_OF_10_SATOSHI}`];
    assert.equal(verdict(OFFER_OF_10_SATOSHI, satoshi, { ...required, payees }), 'right');
    assert.equal(verdict(OFFER, bitcoins, { ...noCodeRules, payees }), 'another_payee');
  });

  it('is wrong when a link in its place asks a server for the amount', () => {
    for (const code of ['lightning:LNURL1DP68GURN8GHJ7', 'lightning:bean@pay.example'])
      assert.equal(verdict(code, bitcoins), 'wrong', code);
    assert.equal(verdict('LNURL1DP68GURN8GHJ7', bitcoins), 'unknown');
  });
});
