/** A partner's label in the customer's language: the locale, its language, the one that the language is read in, English, else the first there is. */
import type { Label } from '../../relay/contract/responses.js';
import { localeOf } from './locales.js';

export const labelIn = (label: Label, locale: string): string =>
  typeof label === 'string'
    ? label
    : (label[locale] ??
      label[locale.split('-')[0] ?? ''] ??
      label[localeOf(locale)] ??
      label.en ??
      Object.values(label)[0] ??
      '');
