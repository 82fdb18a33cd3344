/** What a code may pay with, as far as the names of currencies and assets tell. */
import { currencyNumber } from './currency-number.js';

/** Coins with a chain of their own, so that no token is meant by their name alone. */
const COINS: readonly string[] = [
  ...['BTC', 'LTC', 'DOGE', 'XRP', 'ETH', 'SOL', 'XLM', 'BNB', 'AVAX', 'ETC', 'TRX', 'BCH', 'ADA'],
  ...['TON', 'POL', 'FTM', 'XDAI', 'CELO', 'XMR', 'DOT', 'ATOM', 'NEAR', 'SUI', 'APT', 'HBAR'],
];
/** Tokens whose name is that of a network too. */
const TOKENS_OF_NETWORKS: readonly string[] = ['ARB', 'OP', 'LINEA', 'BLAST'];
/** Other names of the same money. */
const SAME: Readonly<Record<string, string>> = {
  RUR: 'RUB',
  ANG: 'XCG',
  RMB: 'CNY',
  MATIC: 'POL',
  XBT: 'BTC',
  BITCOIN: 'BTC',
  LITECOIN: 'LTC',
  XDG: 'DOGE',
  DOGECOIN: 'DOGE',
  RIPPLE: 'XRP',
  ETHER: 'ETH',
  ETHEREUM: 'ETH',
  SOLANA: 'SOL',
  STELLAR: 'XLM',
  TRON: 'TRX',
  TONCOIN: 'TON',
};

/** Networks, by their number or name, with what a service adds to the name of an asset. */
const NETWORKS: readonly { network: string; coin: string; names: readonly string[] }[] = [
  { network: '1', coin: 'ETH', names: ['ERC20', 'ETH'] },
  { network: '56', coin: 'BNB', names: ['BEP20', 'BSC', 'BNB'] },
  { network: '204', coin: 'BNB', names: ['OPBNB'] },
  { network: 'tron', coin: 'TRX', names: ['TRC20', 'TRX'] },
  { network: 'solana', coin: 'SOL', names: ['SPL', 'SOL'] },
  { network: '137', coin: 'POL', names: ['POLYGON', 'POL'] },
  { network: '43114', coin: 'AVAX', names: ['AVAXC', 'AVAX', 'AVALANCHE'] },
  { network: '42161', coin: 'ETH', names: ['ARBITRUM', 'ARB'] },
  { network: '42170', coin: 'ETH', names: ['NOVA'] },
  { network: '10', coin: 'ETH', names: ['OPTIMISM', 'OP'] },
  { network: '8453', coin: 'ETH', names: ['BASE'] },
  { network: '59144', coin: 'ETH', names: ['LINEA'] },
  { network: '534352', coin: 'ETH', names: ['SCROLL'] },
  { network: '324', coin: 'ETH', names: ['ZKSYNC', 'ZKSYNCERA'] },
  { network: '81457', coin: 'ETH', names: ['BLAST'] },
  { network: '130', coin: 'ETH', names: ['UNICHAIN'] },
  { network: '167000', coin: 'ETH', names: ['TAIKO'] },
  { network: '61', coin: 'ETC', names: ['ETC'] },
  { network: '250', coin: 'FTM', names: ['FTM', 'FANTOM'] },
  { network: '100', coin: 'XDAI', names: ['XDAI', 'GNOSIS'] },
  { network: '42220', coin: 'CELO', names: ['CELO'] },
  { network: 'stellar', coin: 'XLM', names: ['XLM'] },
  { network: 'ton', coin: 'TON', names: ['TON'] },
  { network: 'bitcoin', coin: 'BTC', names: ['BTC'] },
  { network: 'litecoin', coin: 'LTC', names: ['LTC'] },
  { network: 'dogecoin', coin: 'DOGE', names: ['DOGE'] },
  { network: 'ripple', coin: 'XRP', names: ['XRP', 'XRPL'] },
  { network: 'eos', coin: 'EOS', names: ['EOS'] },
  ...['1101', '480', '1868', '34443', '57073', '7777777'].map((network) => ({
    network,
    coin: 'ETH',
    names: [],
  })),
];
/** The coin of a network; undefined when the network is not known. */
export const coinOfNetwork = (id: string): string | undefined =>
  NETWORKS.find(({ network }) => network === id)?.coin;
const networkOf = (name: string): (typeof NETWORKS)[number] | undefined =>
  NETWORKS.find(({ names }) => names.includes(name));

const NETWORK_NAMES = [...NETWORKS.flatMap(({ names }) => names), ...Object.keys(SAME)].filter(
  (name) => networkOf(SAME[name] ?? name),
);
/** An asset and its network in one word: USDTMATIC. */
const JOINED = new RegExp(`^([A-Z]{3,}?)(${NETWORK_NAMES.join('|')})$`);
/** Standards of tokens, which end the name of no asset: ABCERC20. */
const STANDARD = /^(ERC20|TRC20|BEP20|BSC)$/;

/** It may stand behind any coin or network, also before a token: ETH_MAINNET_USDT. */
const MAIN_NETWORK = /[^A-Z0-9]+(MAIN|MAINNET|NATIVE)(?![A-Z0-9])/g;
/** What a service adds to the name of a coin on its own network. It names no token. */
const VARIANTS: Readonly<Record<string, readonly string[]>> = {
  BTC: [
    ...['LN', 'LIGHTNING', 'ONCHAIN', 'SEGWIT', 'BECH32', 'TAPROOT', 'LEGACY'],
    ...['P2PKH', 'P2SH', 'P2WPKH', 'P2TR'],
  ],
  LTC: ['LN', 'LIGHTNING', 'ONCHAIN', 'SEGWIT', 'BECH32', 'LEGACY', 'MWEB'],
  AVAX: ['C', 'CCHAIN'],
  BNB: ['SMART', 'CHAIN'],
  XRP: ['LEDGER', 'TAG'],
  XLM: ['MEMO'],
};
/** What stands behind a coin's name and surely means another asset, beside a country's money. */
const OTHER_ASSETS: readonly string[] = [
  // Bitcoin Cash and Ethereum Classic are coins of their own
  ...['CASH', 'SV', 'GOLD', 'CLASSIC', 'POW', 'FAIR'],
  ...['XAUT', 'PAXG', 'WBTC', 'CBBTC', 'WETH', 'STETH', 'WSTETH', 'LINK', 'UNI', 'AAVE', 'LDO'],
  ...['SHIB', 'PEPE', 'CRV', 'COMP', 'ENA', 'ONDO', 'WLD', 'CAKE', 'FLOKI', 'BONK', 'WIF', 'JUP'],
  ...['RAY', 'PYTH', 'TRUMP', 'JST', 'SUN', 'BTT', 'WIN', 'NOT', 'DOGS', 'AQUA'],
];
/** Tokens of a country's money, which are the coin of no network. */
const STABLE = /USD|EUR|^DAI$/;

/**
 * Whether a name has the network before the asset, as ETH_USDT and LN_BTC do. If the coin of the
 * network were read from ETH_USDT, a customer would pay one ETH where one USDT is due.
 */
function isNetworkFirst(first: string, second: string): boolean {
  if (VARIANTS[second]?.includes(first)) return true;
  const network = networkOf(first);
  if (network === undefined || second === '' || VARIANTS[first]?.includes(second)) return false;
  return !isAssetToo(first) || networkOf(second) === undefined;
}

/** Whether the name of a network is that of an asset too. */
const isAssetToo = (name: string): boolean =>
  networkOf(name)?.coin === name || TOKENS_OF_NETWORKS.includes(name);

const isKnown = (asset: string): boolean =>
  STABLE.test(asset) || OTHER_ASSETS.includes(asset) || isNameOfOther(asset);

/** The asset and its network; of other names, such as WSTETH, the end is no network. */
function joined(name: string): RegExpExecArray | null {
  const found = JOINED.exec(name);
  const [, asset = '', network = ''] = found ?? [];
  const isAsset = COINS.includes(SAME[asset] ?? asset) || isStableToken(asset);
  return isAsset || STANDARD.test(network) ? found : null;
}

const isStableToken = (asset: string): boolean =>
  STABLE.test(asset) && currencyNumber(asset) === undefined;

type Named = {
  asset: string;
  /** ETH_XYZ may be a token or a kind of ETH: then `asset` is XYZ, and this is ETH. */
  otherAsset: string | undefined;
  network: string | undefined;
  coin: string;
  isToken: boolean;
};

/** The service may add a network to the name of an asset: USDT_TRC20, ETH_USDT, BTC_LN, LNBTC. */
function named(currency: string): Named {
  const name = currency.toUpperCase().replace(MAIN_NETWORK, '');
  const words =
    /^([A-Z0-9]*)[^A-Z0-9]+([A-Z0-9]*)/.exec(name) ??
    joined(name) ??
    /^(BTC)(LN|LIGHTNING)$/.exec(name) ??
    /^(LN|LIGHTNING)(BTC)$/.exec(name);
  const [first = '', second = ''] = (words?.slice(1) ?? [name]).map((word) => SAME[word] ?? word);
  const isSwapped = isNetworkFirst(first, second);
  const [asset, place] = isSwapped ? [second, first] : [first, second];
  const { coin = asset, network } = networkOf(place) ?? {};
  const otherAsset = isSwapped && isAssetToo(first) && !isKnown(second) ? first : undefined;
  const [, , ...further] = name.split(/[^A-Z0-9]+/);
  const namesOther = further.some((word) => {
    const other = networkOf(SAME[word] ?? word);
    return other !== undefined && other.network !== network;
  });
  return {
    asset,
    otherAsset,
    // an unknown word may be another network of the coin, and a third word is one: USDC_ETH_BASE
    network: otherAsset === undefined && !namesOther ? network : undefined,
    coin,
    isToken: coin !== asset,
  };
}

export const assetOf = (currency: string): string => named(currency).asset;

/** Whether a currency may mean this asset. `assetOf` is the only one that it surely means. */
export function mayMean(currency: string, paid: string): boolean {
  const { asset, otherAsset } = named(currency);
  return paid === asset || paid === otherAsset;
}

/** The coin of the network that a currency is paid on, as far as its name tells. */
export const coinOf = (currency: string): string => named(currency).coin;

/** Whether a name in a token's own words says nothing: anybody may name a token so. */
export const isNameOfOther = (token: string): boolean =>
  COINS.includes(token) || currencyNumber(token) !== undefined;

/** Whether a currency can be paid with a token that the code does not name. */
export function mayBeToken(payCurrency: string): boolean {
  const { asset, isToken } = named(payCurrency);
  return isToken || !isNameOfOther(asset);
}

/** Whether a currency can be the coin of a network whose coin is not known. */
export function mayBeCoin(payCurrency: string): boolean {
  const { asset, isToken } = named(payCurrency);
  return !isToken && !isNameOfOther(asset) && !STABLE.test(asset);
}

/** Whether a currency is paid on this network, as far as its name tells. */
export const isPaidOn = (payCurrency: string, network: string): boolean =>
  (named(payCurrency).network ?? network) === network;

/** A bank's code may be the way to a crypto asset, whose rate the relay does not know. */
export const isExchanged = (currency: string, asset: string): boolean =>
  currencyNumber(asset) === undefined &&
  (currencyNumber(currency) !== undefined || isUnnamed(currency));

/** A merchant's code has the number of a currency that has no letters, such as 999 for none. */
export const isUnnamed = (currency: string): boolean => /^\d*$/.test(currency);
