/** An amount as a customer reads it. The element, the sandbox and the demo write it alike. */

const MAX_FRACTION_DIGITS = 18;
/** A number has at least so many exact digits. */
const EXACT_DIGITS = 15;
/** A sign that one currency alone has; letters, `$`, `£` and `¥` stand for several currencies. */
const UNAMBIGUOUS_SIGN = /^[^\p{L}$£¥￥]$/u;

/**
 * A decimal string. `Intl.NumberFormat` formats it without rounding, but its type declares template
 * literals only.
 */
type Numeric = `${number}`;

/** A piece of an amount; a line may break only between two pieces. */
export type MoneyPart = {
  readonly type: 'number' | 'currency' | 'other';
  readonly text: string;
};

/** `Intl.NumberFormat` takes any three letters for a currency, also the name of a crypto asset. */
const isCurrency = (code: string): boolean => Intl.supportedValuesOf('currency').includes(code);

/**
 * Writes the short sign of the currency (`₽`). A sign that several currencies share is written as
 * in the locale's region (`$` in the United States, `US$` in Canada). A code that is not in ISO
 * 4217 is a crypto asset, and is written after the number. The decimal string itself is formatted,
 * because a number would be rounded.
 *
 * @param locale a tag that `Intl` accepts
 */
export function moneyParts(amount: string, currency: string, locale: string): MoneyPart[] {
  // a restored ledger may lack an amount, and "(withheld)" stands for an echo that is not kept
  if (!/\d/.test(amount) || isTooLong(amount)) return withCode(amount, currency);
  if (!isCurrency(currency)) return assetParts(amount, currency, locale);
  const style = {
    style: 'currency',
    currency,
    maximumFractionDigits: MAX_FRACTION_DIGITS,
  } as const;
  const usual = new Intl.NumberFormat(locale, style).resolvedOptions().minimumFractionDigits ?? 0;
  // Half a fraction, as in "PKR 12.5", would be read as another amount, and so would "12,500 €".
  const digits = /\.\d*[1-9]/.test(amount) ? Math.max(usual, 2) : usual;
  const formatted = (currencyDisplay: 'symbol' | 'narrowSymbol'): Intl.NumberFormatPart[] =>
    new Intl.NumberFormat(locale, {
      ...style,
      currencyDisplay,
      minimumFractionDigits: digits,
    }).formatToParts(amount as Numeric);
  const narrow = formatted('narrowSymbol');
  const sign = narrow.find(({ type }) => type === 'currency')?.value ?? '';
  const parts = UNAMBIGUOUS_SIGN.test(sign) ? narrow : formatted('symbol');
  return joined(parts.map(({ type, value }) => ({ type: typeOf(type), text: value })));
}

const typeOf = (type: string): MoneyPart['type'] => {
  if (type === 'currency') return type;
  return type === 'literal' ? 'other' : 'number';
};

/** Before Chrome 106 and Firefox 116, a text is rounded to a number before it is formatted. */
const formatsText = (): boolean =>
  new Intl.NumberFormat('en', { maximumFractionDigits: MAX_FRACTION_DIGITS }).format(
    '1.000000000000000001',
  ) === '1.000000000000000001';

/** Whether this browser would round the amount. */
const isTooLong = (amount: string): boolean =>
  amount.replace(/\D/g, '').length > EXACT_DIGITS && !formatsText();

const withCode = (number: string, currency: string): MoneyPart[] => [
  { type: 'number', text: number || '—' },
  { type: 'other', text: `\u00a0${currency}` },
];

/** All digits of the amount, then the ticker. Some tickers are also the code of a currency. */
export function assetParts(amount: string, currency: string, locale: string): MoneyPart[] {
  if (isTooLong(amount)) return withCode(amount, currency);
  const digits = amount.split('.')[1]?.length ?? 0;
  const number = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits, MAX_FRACTION_DIGITS),
  });
  return withCode(number.format(amount as Numeric), currency);
}

/** Joins neighbours of one kind. */
const joined = (parts: MoneyPart[]): MoneyPart[] =>
  parts.reduce<MoneyPart[]>((list, part) => {
    const last = list[list.length - 1];
    if (last?.type !== part.type) return [...list, part];
    return [...list.slice(0, -1), { ...last, text: last.text + part.text }];
  }, []);

export const moneyText = (amount: string, currency: string, locale: string): string =>
  moneyParts(amount, currency, locale)
    .map(({ text }) => text)
    .join('');
