/** A partner's label in the customer's language: the locale, its language, English, else the first there is. */
import type { Label } from '../../relay/contract/responses.js';

export const labelIn = (label: Label, locale: string): string =>
  typeof label === 'string' ? label : (label[locale] ?? label[locale.split('-')[0] ?? ''] ?? label.en ?? Object.values(label)[0] ?? '');
