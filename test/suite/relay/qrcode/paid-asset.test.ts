/** A code is compared in the order's own currency, and refused when it pays with another asset. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  checkCode,
  noCodeRules,
  type Charge,
  type CodeRules,
} from '../../../../relay/qrcode/check-code.js';
import { shopCode } from '../../support/merchant-codes.js';
import { invoice, STATIC_DUITNOW_CODE, STATIC_SBP_LINK } from '../../support/published-codes.js';

const charge = (amount: string, currency: string, payCurrency = currency): Charge => ({
  amount,
  currency,
  payCurrency,
});
const verdictOf = (code: string, of: Charge, rules: CodeRules): string =>
  checkCode(code, of, rules).verdict;
const verdict = (code: string, of: Charge): string => verdictOf(code, of, noCodeRules);
const amountOf = (code: string, of: Charge): object | null => {
  const checked = checkCode(code, of, noCodeRules);
  assert.equal(checked.verdict, 'right', code);
  return 'codeAmount' in checked ? checked.codeAmount : null;
};

const ETHER = '0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359';
const SOLANA = 'mvines9iiHiQTysrwkJjGf2gb9Ex9jXJX8ns3qwf2kN';
const STELLAR = 'GCALNQQBXAPZ2WIRSDDBMSTAKCUH5SG6U76YBFLQLIXJTF7FE5AX7AOO';
const coin = (chain: string, value = '1e18'): string => `ethereum:${ETHER}@${chain}?value=${value}`;
const token = `ethereum:${ETHER}@1/transfer?address=${ETHER}&uint256=1e6`;
const stellar = (query: string): string => `web+stellar:pay?destination=${STELLAR}&${query}`;
const sbp = (kopecks: string): string =>
  `https://qr.nspk.ru/AD100004BAL7227F9BNP6KNE007J9B3K?sum=${kopecks}&cur=RUB`;
const BITCOIN = 'bitcoin:175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W?amount=0.0025';

describe('a code that pays with an asset which it does not name', () => {
  const splToken = `solana:${SOLANA}?amount=999&spl-token=${SOLANA}`;

  it('is wrong when the customer pays in a currency of a country', () => {
    for (const code of [coin('56'), coin('9999'), token, splToken])
      for (const of of [charge('100', 'RUB'), charge('100', 'USDT', 'EUR')])
        assert.equal(verdict(code, of), 'wrong', code);
  });

  it('is wrong when the customer pays in a coin of another form or network', () => {
    for (const code of [coin('9999'), token, splToken])
      for (const of of [charge('1', 'BTC'), charge('1', 'BTC', 'BTC_LN'), charge('1', 'ETH')])
        assert.equal(verdict(code, of), 'wrong', code);
    assert.equal(verdict(token, charge('1', 'ETH', 'ETH_ERC20')), 'wrong');
  });

  it('is shown without a comparison when the customer pays in a token', () => {
    for (const of of [
      charge('1', 'USDT'),
      charge('100', 'RUB', 'USDT_ERC20'),
      charge('1', 'BTC', 'BTC_ERC20'),
    ])
      assert.equal(amountOf(token, of), null, JSON.stringify(of));
  });

  it('is wrong when it pays on another network than the currency names', () => {
    const on = (chain: string): string => token.replace('@1/', `@${chain}/`);
    for (const payCurrency of ['USDT_ERC20', 'usdt-eth', 'USDTERC20', 'BTC_ERC20']) {
      assert.equal(verdict(on('1'), charge('100', 'RUB', payCurrency)), 'right', payCurrency);
      for (const code of [on('56'), splToken])
        assert.equal(verdict(code, charge('100', 'RUB', payCurrency)), 'wrong', payCurrency);
    }
    assert.equal(verdict(on('56'), charge('100', 'RUB', 'USDT_BEP20')), 'right');
    assert.equal(verdict(splToken, charge('100', 'RUB', 'USDT_SOL')), 'right');
    for (const code of [on('1'), on('56'), splToken])
      assert.equal(verdict(code, charge('100', 'RUB', 'USDT_TRC20')), 'wrong', code);
    for (const payCurrency of [
      ...['USDTMATIC', 'USDTARB', 'USDTSOL', 'USDTOPBNB', 'USDT_AVALANCHE', 'FDUSDBASE'],
    ])
      assert.equal(verdict(on('1'), charge('100', 'RUB', payCurrency)), 'wrong', payCurrency);
    assert.equal(verdict(on('137'), charge('100', 'RUB', 'USDTMATIC')), 'right');
    // which of two networks a name of three words means is not known
    assert.equal(verdict(on('8453'), charge('100', 'RUB', 'USDT_ETH_BASE')), 'right');
    assert.equal(verdict(on('56'), charge('100', 'RUB', 'USDT_ERC20_ETHEREUM')), 'wrong');
    // these end with the name of a network, and are tokens of their own
    for (const payCurrency of ['WSTETH', 'USDTON', 'JITOSOL', 'COINBASE'])
      assert.equal(amountOf(on('56'), charge('100', 'RUB', payCurrency)), null, payCurrency);
    assert.equal(verdict(coin('1'), charge('1', 'ETH', 'ETH_ARBITRUM')), 'wrong');
    assert.equal(verdict(coin('42161'), charge('1', 'ETH', 'ETH_ARBITRUM')), 'right');
    assert.equal(verdict(BITCOIN, charge('0.0025', 'BTC', 'BTC_BEP20')), 'wrong');
  });

  it('is wrong when the customer pays in a coin of its own network', () => {
    const onBnb = token.replace('@1/', '@56/');
    for (const of of [charge('1', 'BNB', 'BNB_BSC'), charge('1', 'BNBBEP20'), charge('1', 'BNB')])
      assert.equal(verdict(onBnb, of), 'wrong', JSON.stringify(of));
    assert.equal(verdict(splToken, charge('1', 'SOL', 'SOL_SPL')), 'wrong');
    for (const currency of ['TON', 'POL', 'MATIC', 'CELO'])
      assert.equal(verdict(token, charge('1', currency)), 'wrong', currency);
  });

  it('is wrong as the coin of a network that the currency names before a token', () => {
    const solana = `solana:${SOLANA}?amount=1`;
    const ripple = 'ripple:rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY?amount=1';
    for (const [currency, code] of [
      ['ETH_USDT', coin('1')],
      ['eth-usdc', coin('1')],
      ['ETH_MAINNET_USDT', coin('1')],
      ['BASE_USDC', coin('8453')],
      ['BNB_USDT', coin('56')],
      ['SOL_USDC', solana],
      ['XLM_USDC', stellar('amount=1')],
      ['XRP_RLUSD', ripple],
      ['BTC_USDT', BITCOIN.replace('0.0025', '1')],
      ['ETH_SHIB', coin('1')],
    ] as const)
      for (const of of [charge('1', currency), charge('100', 'RUB', currency)])
        assert.equal(verdict(code, of), 'wrong', `${code} for ${of.payCurrency}`);
  });

  it('is compared with the asset of a currency that names its network first', () => {
    assert.equal(amountOf(token, charge('1', 'ETH_USDT')), null);
    assert.equal(verdict(token.replace('@1/', '@56/'), charge('1', 'ETH_USDT')), 'wrong');
    assert.equal(verdict(splToken, charge('1', 'SOL_USDC')), 'right');
    assert.equal(verdict(token, charge('1', 'XRP_RLUSD')), 'wrong');
    const usdc = stellar('amount=1&asset_code=USDC&asset_issuer=G');
    assert.equal(verdict(usdc, charge('1', 'XLM_USDC')), 'right');
    assert.equal(verdict(usdc, charge('2', 'XLM_USDC')), 'wrong');
    const known = { ...noCodeRules, token: { contract: ETHER, decimals: 6 } };
    assert.deepEqual(checkCode(token, charge('100', 'USD', 'ETH_USDT'), known), {
      verdict: 'right',
      payee: null,
      codeAmount: { amount: '1', currency: 'USDT' },
    });
  });

  it('is the coin of its network, whatever a service adds to its name', () => {
    for (const [currency, chain] of [
      ...['ETH', 'ETH_ETH', 'ETH_ERC20', 'ETH_MAIN', 'ETH_MAINNET', 'ETHEREUM', 'Ethereum_ETH'].map(
        (name) => [name, '1'] as const,
      ),
      ['ETH_LINEA', '59144'],
      ['ETH_TAIKO', '167000'],
      ['ETHBASE', '8453'],
      ['ARBITRUM_ETH', '42161'],
      ['BASE_ETH', '8453'],
      ['BNB_CHAIN', '56'],
      ['BSC_BNB', '56'],
      ['AVAX_C', '43114'],
      ['MATIC_POLYGON', '137'],
    ] as const)
      assert.equal(verdict(coin(chain), charge('1', currency)), 'right', currency);
    // it may be a token on Ethereum too
    assert.equal(verdict(coin('42161'), charge('1', 'ARB_ETH')), 'wrong');
    for (const currency of ['BTC_BTC', 'BTC_MAINNET', 'BTC_TAPROOT', 'BTC_P2PKH', 'XBT_BITCOIN'])
      for (const code of [BITCOIN, invoice.code])
        assert.equal(verdict(code, charge('0.0025', currency)), 'right', currency);
  });

  it('is shown with what it pays when an unknown word stands behind the coin’s name', () => {
    const lumens = stellar('amount=1');
    for (const [currency, code, paid] of [
      ['BTC_TEST', BITCOIN.replace('0.0025', '1'), 'BTC'],
      ['ETH_CHAIN', coin('1'), 'ETH'],
      ['ETH_ARBITRUMONE', coin('42161'), 'ETH'],
      ['XLM_XYZ', lumens, 'XLM'],
    ] as const) {
      const beside = { amount: '1', currency: paid };
      assert.deepEqual(amountOf(code, charge('1', currency)), beside, currency);
      assert.deepEqual(amountOf(code, charge('100', 'RUB', currency)), beside, currency);
      assert.equal(verdict(code, charge('2', currency)), 'wrong', currency);
      const required = { ...noCodeRules, check: 'required' } as const;
      assert.equal(verdictOf(code, charge('1', currency), required), 'wrong', currency);
    }
    const typed = BITCOIN.replace(/\?.*/, '');
    assert.deepEqual(amountOf(typed, charge('1', 'BTC_TEST')), { currency: 'BTC_TEST' });
    assert.equal(verdict(typed, charge('1', 'LTC', 'BTC_TEST')), 'wrong');
    const ofToken = stellar('amount=1&asset_code=XYZ&asset_issuer=G');
    assert.equal(amountOf(ofToken, charge('1', 'XLM_XYZ')), null);
    assert.equal(verdict(token.replace(/&.*/, ''), charge('1', 'ETH', 'ETH_XYZ')), 'wrong');
  });

  it('is no token when it is the coin of a network', () => {
    for (const of of [
      ...['USDT', 'USDC', 'DAI', 'EURC', 'XYZ_ERC20'].map((currency) => charge('1', currency)),
      charge('100', 'RUB', 'USDT_POLYGON'),
    ])
      for (const code of [coin('137'), coin('9999')])
        assert.equal(verdict(code, of), 'wrong', `${code} for ${of.payCurrency}`);
    assert.equal(amountOf(coin('9999'), charge('1', 'XYZ')), null, 'a network that is not listed');
  });
});

describe('a link that pays with a token which the configuration names', () => {
  const rulesOf = (contract: string): CodeRules => ({
    check: 'required',
    payees: [],
    token: { contract, decimals: 6 },
  });
  const tether = rulesOf(ETHER);
  const splToken = `solana:${SOLANA}?amount=1.5&spl-token=${SOLANA}`;

  it('is compared in the token’s own units, under a required check', () => {
    for (const contract of [ETHER, ETHER.toLowerCase(), `${ETHER}@1`])
      assert.equal(
        checkCode(token, charge('1', 'USDT', 'USDT_ERC20'), rulesOf(contract)).verdict,
        'right',
      );
    assert.equal(checkCode(splToken, charge('1.5', 'USDC'), rulesOf(SOLANA)).verdict, 'right');
    for (const amount of ['1.000001', '10', '0.000001'])
      assert.equal(checkCode(token, charge(amount, 'USDT'), tether).verdict, 'wrong', amount);
    for (const [code, amount] of [
      [splToken, '2'],
      [`${splToken}&tx_amount=2`, '1.5'],
      [`${splToken}&address=${SOLANA}`, '1.5'],
    ] as const)
      assert.equal(checkCode(code, charge(amount, 'USDC'), rulesOf(SOLANA)).verdict, 'wrong', code);
  });

  it('is wrong when it pays with another token, network or coin', () => {
    const usdt = charge('1', 'USDT');
    assert.equal(checkCode(token, charge('1', 'USDT', 'USDT_TRC20'), tether).verdict, 'wrong');
    for (const contract of [`${ETHER}@10`, ETHER.replace('0xfb', '0xfc'), SOLANA])
      assert.equal(checkCode(token, usdt, rulesOf(contract)).verdict, 'wrong', contract);
    for (const code of [
      coin('1'),
      coin('9999'),
      stellar(`amount=1&asset_code=USDT&asset_issuer=${STELLAR}`),
      token.replace('1e6', '1.5'),
      token.replace('1e6', '0'),
      token.replace('1e6', '-1e6'),
      token.replace('1e6', '0xf4240'),
    ])
      assert.equal(checkCode(code, usdt, tether).verdict, 'wrong', code);
    assert.equal(verdictOf(sbp('10000'), charge('100', 'RUB', 'USDT'), tether), 'right');
    const lower = splToken.replace(/=mvin/, '=MVIN');
    assert.equal(checkCode(lower, charge('1.5', 'USDC'), rulesOf(SOLANA)).verdict, 'wrong');
  });

  it('shows the token’s amount beside the code when the order has another currency', () => {
    const rules = { ...tether, check: 'when_known' } as const;
    assert.deepEqual(checkCode(token, charge('100', 'RUB', 'USDT_ERC20'), rules), {
      verdict: 'right',
      payee: null,
      codeAmount: { amount: '1', currency: 'USDT' },
    });
  });

  it('says what the customer types where it states no amount', () => {
    const typed = `ethereum:${ETHER}@1/transfer?address=${ETHER}`;
    const rules = { ...tether, check: 'when_known' } as const;
    assert.deepEqual(checkCode(typed, charge('1', 'USDT'), rules), {
      verdict: 'right',
      payee: null,
      codeAmount: { currency: 'USDT' },
    });
    assert.equal(checkCode(typed, charge('1', 'USDT'), tether).verdict, 'wrong');
  });
});

describe('a link of Ethereum', () => {
  it('is compared in the coin of its network', () => {
    for (const chain of ['1', '10', '8453', '42161', '59144'])
      assert.equal(verdict(coin(chain), charge('1', 'ETH')), 'right', chain);
    for (const [chain, currency] of [
      ['56', 'BNB'],
      ['56', 'BNB_BSC'],
      ['56', 'BNBBSC'],
      ['137', 'POL'],
      ['137', 'MATIC'],
      ['250', 'FTM'],
      ['100', 'XDAI'],
      ['42220', 'CELO'],
    ] as const)
      assert.equal(verdict(coin(chain), charge('1', currency)), 'right', currency);
    for (const of of [charge('2', 'BNB'), charge('1', 'ETH'), charge('1', 'USDT')])
      assert.equal(verdict(coin('56'), of), 'wrong', JSON.stringify(of));
  });

  it('is wrong on a network without money, or when its number begins with 0', () => {
    const ether = charge('1', 'ETH');
    for (const chain of ['11155111', '01', '0']) assert.equal(verdict(coin(chain), ether), 'wrong');
    assert.equal(verdict(token.replace('@1/', '@11155111/'), charge('1', 'USDT')), 'wrong');
  });

  it('is wrong when it has a name that some apps do not know, or a field of another form', () => {
    for (const query of [
      'value=1e18&amount=99',
      'amount=1',
      `value=1e18&contractAddress=${ETHER}&decimal=18`,
      'value=1e18&uint256=1',
      'Value=1e18',
      'value[]=1e18',
      'value[0]=1e18',
      '[value]=1e18',
      'value=1e18& [value]=9e18',
      'value=1e18&VALUE%5B0%5D=9e18',
      `value=1e18&req-asset=${ETHER}`,
      'value=1e18&data=0xa9059cbb',
      'gas=1?&value=1e18',
      'gas=1?value=1e18',
      `value=1e18&to=${ETHER}`,
      'value=1e18&tx_amount=99',
      'value=1e18&x=bitcoin:y',
    ])
      assert.equal(verdict(`ethereum:${ETHER}?${query}`, charge('1', 'ETH')), 'wrong', query);
    for (const name of ['address', 'uint256']) {
      const inCapitals = token.replace(name, name.toUpperCase());
      assert.equal(verdict(inCapitals, charge('1', 'USDT')), 'wrong', inCapitals);
    }
    for (const query of ['amount=99', `contractAddress=${ETHER}`, 'tx_amount=99', `to=${ETHER}`])
      assert.equal(verdict(`${token}&${query}`, charge('1', 'USDT')), 'wrong', query);
    assert.equal(verdict(`${coin('1')}&gas=21000&gasPrice=1e9`, charge('1', 'ETH')), 'right');
  });
});

describe('an order that is paid in another currency than it is priced in', () => {
  it('compares the amount of a code in the order’s own currency', () => {
    const roubles = charge('100', 'RUB', 'USDT');
    assert.equal(verdict(sbp('9999900'), roubles), 'wrong');
    assert.equal(amountOf(sbp('10000'), roubles), null);
    assert.deepEqual(amountOf(STATIC_SBP_LINK, roubles), { currency: 'RUB' });
    const dollars = charge('12.50', 'USD', 'USDT');
    assert.equal(amountOf(shopCode('12.50'), dollars), null);
    assert.equal(verdict(shopCode('440'), dollars), 'wrong');
    assert.equal(verdict(shopCode('12.50'), charge('12.50', 'USD', 'THB')), 'wrong');
  });

  it('knows an asset with the name of its network, written in one word or two', () => {
    const behind = ['BTC_LN', 'BTCLN', 'btc-lightning'];
    for (const payCurrency of [...behind, 'LN_BTC', 'LIGHTNING_BTC', 'Lightning BTC', 'LNBTC'])
      for (const code of [invoice.code, BITCOIN]) {
        assert.equal(amountOf(code, charge('0.0025', 'BTC', payCurrency)), null, payCurrency);
        assert.equal(verdict(code, charge('1', 'BTC', payCurrency)), 'wrong', payCurrency);
        const beside = amountOf(code, charge('100', 'RUB', payCurrency));
        assert.deepEqual(beside, { amount: '0.0025', currency: 'BTC' });
      }
  });

  it('is wrong when the customer would type an amount that nobody states', () => {
    for (const [code, payCurrency] of [
      [STATIC_SBP_LINK, 'RUB'],
      [STATIC_DUITNOW_CODE, 'MYR'],
      ['upi://pay?pa=bean@okaxis', 'INR'],
      [BITCOIN.replace(/\?.*/, ''), 'BTC'],
      [token.replace(/&.*/, ''), 'USDT'],
    ] as const) {
      const payees = ['account:bean@okaxis'];
      for (const rules of [noCodeRules, { ...noCodeRules, payees }])
        assert.equal(verdictOf(code, charge('12.50', 'USD', payCurrency), rules), 'wrong', code);
      assert.equal(verdict(code, charge('12.50', payCurrency)), 'right', code);
    }
  });

  it('knows other names of one currency', () => {
    assert.equal(verdict(sbp('999900'), charge('12.50', 'RUR')), 'wrong');
    assert.equal(verdict(sbp('1250'), charge('12.50', 'RUB', 'RUR')), 'right');
    assert.equal(verdict(shopCode('12.50', '532'), charge('12.50', 'ANG')), 'right');
    assert.equal(verdict(shopCode('12.50', '156'), charge('12.50', 'RMB')), 'right');
  });

  it('knows the names of coins that services write in place of their codes', () => {
    for (const name of ['XBT', 'BITCOIN', 'Bitcoin']) {
      assert.equal(verdict(BITCOIN, charge('0.0025', name)), 'right', name);
      assert.equal(verdict(BITCOIN, charge('0.0026', name)), 'wrong', name);
    }
    const doge = 'dogecoin:DBXu2kgc3xtvCUWFcxFE3r9hEYgmuaaCyD?amount=1';
    for (const name of ['XDG', 'DOGECOIN']) assert.equal(verdict(doge, charge('1', name)), 'right');
    for (const other of ['BITCOIN CASH', 'CASH_BTC', 'L_BTC', 'LBTC', 'LN_USDT'])
      assert.equal(verdict(BITCOIN, charge('0.0025', other)), 'wrong', other);
    assert.equal(verdict(coin('43114'), charge('1', 'C_AVAX')), 'right');
    assert.equal(verdict(coin('1'), charge('1', 'Ethereum Classic')), 'wrong');
  });

  it('asks for the amount whatever the case of the currency', () => {
    assert.deepEqual(amountOf(STATIC_SBP_LINK, charge('100', 'rub', 'RUB')), { currency: 'rub' });
  });
});
