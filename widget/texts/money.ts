/** Amounts as the customer's language writes them. */
import { isRightToLeft, localeOf } from './locales.js';

const MAX_FRACTION_DIGITS = 18;
/** A sign that one currency alone has; letters, `$`, `£` and `¥` stand for several currencies. */
const UNAMBIGUOUS_SIGN = /^[^\p{L}$£¥]$/u;
const OF_NUMBER: ReadonlySet<string> = new Set([
  'minusSign',
  'integer',
  'group',
  'decimal',
  'fraction',
]);

/**
 * A decimal string. `Intl.NumberFormat` formats it without rounding, but its type declares template
 * literals only.
 */
type Numeric = `${number}`;

/** A piece of an amount; a line may break only between two pieces. */
export type MoneyPart = { readonly isNumber: boolean; readonly text: string };

/** `Intl.NumberFormat` takes any three letters for a currency, also the name of a crypto asset. */
const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/** Formats the decimal string itself: a conversion to a number would round it. */
export function moneyParts(amount: string, currency: string, locale: string): MoneyPart[] {
  if (!isCurrency(currency)) return assetParts(amount, currency, locale);
  const formatted = (currencyDisplay: 'symbol' | 'narrowSymbol'): Intl.NumberFormatPart[] =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay,
      maximumFractionDigits: MAX_FRACTION_DIGITS,
    }).formatToParts(amount as Numeric);
  const narrow = formatted('narrowSymbol');
  const sign = narrow.find(({ type }) => type === 'currency')?.value ?? '';
  const parts = UNAMBIGUOUS_SIGN.test(sign) ? narrow : formatted('symbol');
  return joined(
    parts.map(({ type, value }) => ({
      isNumber: OF_NUMBER.has(type),
      // In a text from right to left, "US$" would be painted as "$US".
      text: type === 'currency' && isRightToLeft(localeOf(locale)) ? `\u2066${value}\u2069` : value,
    })),
  );
}

/** A crypto asset: all digits of the amount, then the ticker. */
function assetParts(amount: string, currency: string, locale: string): MoneyPart[] {
  const digits = amount.split('.')[1]?.length ?? 0;
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, MAX_FRACTION_DIGITS),
  });
  return [
    { isNumber: true, text: number.format(amount as Numeric) },
    { isNumber: false, text: `\u00a0${currency}` },
  ];
}

/** Joins neighbours of one kind. */
const joined = (parts: MoneyPart[]): MoneyPart[] =>
  parts.reduce<MoneyPart[]>((list, part) => {
    const last = list.at(-1);
    if (last?.isNumber !== part.isNumber) return [...list, part];
    return [...list.slice(0, -1), { ...last, text: last.text + part.text }];
  }, []);

export const formatMoney = (amount: string, currency: string, locale: string): string =>
  moneyParts(amount, currency, locale)
    .map(({ text }) => text)
    .join('');
