/** An amount as a customer reads it. The element, the sandbox and the demo write it in one way. */

const MAX_FRACTION_DIGITS = 18;

/** Symbols of several currencies: `$` may be US, Canadian or Mexican dollars. */
const SHARED_SYMBOL = /^([$¥￥£]|kr\.?|rs\.?)$/i;

/** `Intl` formats a decimal text without rounding it, but its type has template texts only. */
type Numeric = `${number}`;

/**
 * Writes the short symbol of the currency (`₽`). In place of one that several currencies share it
 * writes what the locale's region does (`$` in the United States, `US$` in Canada). What is not in
 * ISO 4217 is a crypto asset: number and ticker.
 *
 * @param amount a decimal text; it is not rounded
 * @param locale a tag that `Intl` accepts
 */
export function moneyText(amount: string, currency: string, locale: string): string {
  if (!isCurrency(currency)) return cryptoText(amount, currency, locale);
  const short = formatOf(locale, currency, 'narrowSymbol');
  const { value = '' } =
    short.formatToParts(amount as Numeric).find(({ type }) => type === 'currency') ?? {};
  const format = SHARED_SYMBOL.test(value) ? formatOf(locale, currency, 'symbol') : short;
  return format.format(amount as Numeric);
}

/** `Intl` would take any three letters for a currency, such as BTC. */
const isCurrency = (code: string): boolean =>
  Intl.supportedValuesOf('currency').includes(code.toUpperCase());

const formatOf = (
  locale: string,
  currency: string,
  currencyDisplay: 'narrowSymbol' | 'symbol',
): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay,
    maximumFractionDigits: MAX_FRACTION_DIGITS,
  });

function cryptoText(amount: string, ticker: string, locale: string): string {
  const digits = amount.split('.')[1]?.length ?? 0;
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: MAX_FRACTION_DIGITS,
  });
  return `${number.format(amount as Numeric)}\u00a0${ticker}`;
}
