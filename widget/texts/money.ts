/** Amounts as the customer's language writes them. */
import {
  assetParts,
  moneyParts as partsOf,
  type MoneyPart,
} from '../../relay/contract/money-text.js';
import { isRightToLeft } from './language.js';

export type { MoneyPart };

const LEFT_TO_RIGHT = '\u2066';
const AS_FIRST_LETTER = '\u2068';

/** @param direction character that gives the text its own direction inside right-to-left text */
const isolate = (text: string, direction: string, locale: string): string =>
  isRightToLeft(locale) ? `${direction}${text}\u2069` : text;

/** In a text from right to left, "US$" would be painted as "$US". */
export const moneyParts = (amount: string, currency: string, locale: string): MoneyPart[] =>
  partsOf(amount, currency, locale).map(({ text, type }) => ({
    type,
    text: type === 'currency' ? isolate(text, LEFT_TO_RIGHT, locale) : text,
  }));

/** Inside an Arabic sentence, "1.12 ETH" would be painted as "ETH 1.12". */
const inSentence = (parts: readonly MoneyPart[], locale: string): string =>
  isolate(parts.map(({ text }) => text).join(''), AS_FIRST_LETTER, locale);

export const formatMoney = (amount: string, currency: string, locale: string): string =>
  inSentence(moneyParts(amount, currency, locale), locale);

/** An amount of a crypto asset, never with the sign of a nation's currency. */
export const formatAsset = (amount: string, asset: string, locale: string): string =>
  inSentence(assetParts(amount, asset, locale), locale);
