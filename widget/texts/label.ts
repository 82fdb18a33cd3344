/**
 * A partner's label in the customer's language: the locale, its language, the one that the language
 * is read in, English, else the first there is.
 */
import type { Label } from '../../relay/contract/responses.js';
import { own } from '../../relay/contract/read.js';
import { localeOf } from './locales.js';

export const labelIn = (label: Label, locale: string): string =>
  typeof label === 'string'
    ? label
    : (own(label, locale) ??
      own(label, locale.split('-')[0] ?? '') ??
      own(label, localeOf(locale)) ??
      own(label, 'en') ??
      Object.values(label)[0] ??
      '');
