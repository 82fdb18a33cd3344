/** Amounts as the customer's language writes them. */
import { moneyParts as partsOf, type MoneyPart } from '../../relay/contract/money-text.js';
import { isRightToLeft, localeOf } from './locales.js';

export type { MoneyPart };

/** In a text from right to left, "US$" would be painted as "$US". */
export const moneyParts = (amount: string, currency: string, locale: string): MoneyPart[] =>
  partsOf(amount, currency, locale).map((part) =>
    part.type === 'currency' && isRightToLeft(localeOf(locale))
      ? { ...part, text: `\u2066${part.text}\u2069` }
      : part,
  );

export const formatMoney = (amount: string, currency: string, locale: string): string =>
  moneyParts(amount, currency, locale)
    .map(({ text }) => text)
    .join('');
