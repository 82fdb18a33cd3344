/** Chooses a partner's label for the customer's language. */
import { own } from '../../relay/contract/read.js';
import type { Label } from '../../relay/contract/responses.js';

/** A partner's label: in the first of the locales that it has, in English, or its first words. */
export const labelIn = (label: Label, locales: readonly string[]): string =>
  wordsIn(label, locales) ??
  (typeof label === 'string' ? label : (own(label, 'en') ?? Object.values(label)[0] ?? ''));

/** @returns undefined when the label has none of the locales */
export const wordsIn = (
  label: Label | undefined,
  locales: readonly string[],
): string | undefined =>
  label === undefined || typeof label === 'string'
    ? label
    : locales.map((locale) => own(label, locale)).find((words) => words !== undefined);
