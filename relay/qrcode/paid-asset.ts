/** What a code may pay with, as far as the names of currencies and assets tell. */
import { currencyNumber } from './currency-number.js';

/** Coins with a chain of their own, so that no token is meant by their name alone. */
const COINS: readonly string[] = [
  ...['BTC', 'LTC', 'DOGE', 'XRP', 'ETH', 'SOL', 'XLM', 'BNB', 'AVAX', 'ETC', 'TRX', 'BCH', 'ADA'],
];
/** The names of networks on which those coins exist as tokens too: BTC_BEP20. */
const AS_TOKEN = /^(?!ETH[^A-Z0-9]ERC)[A-Z]+[^A-Z0-9](?:BEP20|BSC|ERC20|TRC20|SPL|POLYGON)$/;

/** The service may add a network to the name of an asset: USDT_TRC20, BTC_LN, BTCLN. */
export const assetOf = (currency: string): string =>
  (currency.toUpperCase().split(/[^A-Z0-9]/)[0] ?? '').replace(/^BTC(LN|LIGHTNING)$/, 'BTC');

/** Whether a name in a token's own words says nothing: anybody may name a token so. */
export const isNameOfOther = (token: string): boolean =>
  COINS.includes(token) || currencyNumber(token) !== undefined;

/** Whether a currency can be paid with a token, or a coin, that the code does not name. */
export function mayBeUnnamed(payCurrency: string): boolean {
  return !isNameOfOther(assetOf(payCurrency)) || AS_TOKEN.test(payCurrency.toUpperCase());
}

/** A bank's code may be the way to a crypto asset, whose rate the relay does not know. */
export const isExchanged = (currency: string, asset: string): boolean =>
  currencyNumber(asset) === undefined &&
  (currencyNumber(currency) !== undefined || isUnnamed(currency));

/** A merchant's code has the number of a currency that has no letters, such as 999 for none. */
export const isUnnamed = (currency: string): boolean => /^\d*$/.test(currency);
