/** Formats what the relay sends for the customer's language: amounts and the partner's labels. */
import { own } from '../../relay/contract/read.js';
import type { Label } from '../../relay/contract/responses.js';
import { localeOf } from './locales.js';

const MAX_FRACTION_DIGITS = 18;

/**
 * A decimal string. `Intl.NumberFormat` formats it without rounding, but its type declares template
 * literals only.
 */
type Numeric = `${number}`;

/** Formats the decimal string itself: a conversion to a number would round it. */
export function formatMoney(amount: string, currency: string, locale: string): string {
  try {
    return new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      maximumFractionDigits: MAX_FRACTION_DIGITS,
    }).format(amount as Numeric);
  } catch {
    // Not an ISO 4217 code, so a crypto asset: keep all digits of the amount.
    const digits = amount.split('.')[1]?.length ?? 0;
    const number = new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: Math.max(digits, MAX_FRACTION_DIGITS),
    });
    return `${number.format(amount as Numeric)}\u00a0${currency}`;
  }
}

/**
 * A partner's label: in the locale, in its language, in the supported language that stands for it,
 * in English, or else the first label.
 */
export const labelIn = (label: Label, locale: string): string =>
  typeof label === 'string'
    ? label
    : (own(label, locale) ??
      own(label, locale.split('-')[0] ?? '') ??
      own(label, localeOf(locale)) ??
      own(label, 'en') ??
      Object.values(label)[0] ??
      '');
