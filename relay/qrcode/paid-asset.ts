/** What a code may pay with, as far as the names of currencies and assets tell. */
import { currencyNumber } from './currency-number.js';

/** Coins with a chain of their own, so that no token is meant by their name alone. */
const COINS: readonly string[] = [
  ...['BTC', 'LTC', 'DOGE', 'XRP', 'ETH', 'SOL', 'XLM', 'BNB', 'AVAX', 'ETC', 'TRX', 'BCH', 'ADA'],
  ...['TON', 'POL', 'FTM', 'XDAI', 'CELO', 'XMR', 'DOT', 'ATOM', 'NEAR', 'SUI', 'APT', 'HBAR'],
];
/** Other names of the same money. */
const SAME: Readonly<Record<string, string>> = { RUR: 'RUB', ANG: 'XCG', RMB: 'CNY', MATIC: 'POL' };

/** Networks, by their number or name, as a service adds them to the name of an asset. */
const NETWORKS = [
  { network: '1', coin: 'ETH', names: ['ERC20', 'ETH', 'ETHEREUM'] },
  { network: '56', coin: 'BNB', names: ['BEP20', 'BSC', 'BNB'] },
  { network: 'tron', coin: 'TRX', names: ['TRC20', 'TRON', 'TRX'] },
  { network: 'solana', coin: 'SOL', names: ['SPL', 'SOL', 'SOLANA'] },
  { network: '137', coin: 'POL', names: ['POLYGON', 'POL', 'MATIC'] },
  { network: '43114', coin: 'AVAX', names: ['AVAXC', 'AVAX'] },
  { network: '42161', coin: 'ETH', names: ['ARBITRUM', 'ARB'] },
  { network: '10', coin: 'ETH', names: ['OPTIMISM', 'OP'] },
  { network: '8453', coin: 'ETH', names: ['BASE'] },
  { network: 'stellar', coin: 'XLM', names: ['XLM', 'STELLAR'] },
  { network: 'ton', coin: 'TON', names: ['TON'] },
];

/** The service may add a network to the name of an asset: USDT_TRC20, BTC_LN, BTCLN. */
function named(currency: string): { asset: string; network: string | undefined; isToken: boolean } {
  const name = currency.toUpperCase();
  const [, given = name, suffix = ''] =
    /^([A-Z0-9]*)[^A-Z0-9]+([A-Z0-9]*)/.exec(name) ??
    /^([A-Z]{3,})(ERC20|TRC20|BEP20|BSC)$/.exec(name) ??
    /^(BTC)(LN|LIGHTNING)$/.exec(name) ??
    [];
  const asset = SAME[given] ?? given;
  const { coin = asset, network } = NETWORKS.find(({ names }) => names.includes(suffix)) ?? {};
  return { asset, network, isToken: coin !== asset };
}

export const assetOf = (currency: string): string => named(currency).asset;

/** Whether a name in a token's own words says nothing: anybody may name a token so. */
export const isNameOfOther = (token: string): boolean =>
  COINS.includes(token) || currencyNumber(token) !== undefined;

/** Whether a currency can be paid with a token that the code does not name. */
export function mayBeToken(payCurrency: string): boolean {
  const { asset, isToken } = named(payCurrency);
  return isToken || !isNameOfOther(asset);
}

/** Tokens of a country's money, which are the coin of no network. */
const STABLE = /USD|EUR|^DAI$/;

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
