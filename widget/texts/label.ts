/** Chooses a partner's label for the customer's language. */
import { own } from '../../relay/contract/read.js';
import type { Label } from '../../relay/contract/responses.js';
import { localeOf } from '../../relay/contract/locales.js';

/**
 * A partner's label: in the locale, in its language, in the supported language that stands for it,
 * in English, or else the first label.
 */
export const labelIn = (label: Label, locale: string): string =>
  wordsIn(label, locale) ??
  (typeof label === 'string' ? label : (own(label, 'en') ?? Object.values(label)[0] ?? ''));

/** @returns undefined when the label has neither the locale nor its language */
export function wordsIn(label: Label | undefined, locale: string): string | undefined {
  if (label === undefined || typeof label === 'string') return label;
  return (
    own(label, locale) ?? own(label, locale.split('-')[0] ?? '') ?? own(label, localeOf(locale))
  );
}
