/** Finds texts and fills their placeholders. */
import type { Label } from '../../relay/contract/responses.js';
import { own } from '../../relay/contract/read.js';
import { en, type TextKey } from './en.js';
import { wordsIn } from './label.js';

export type TextTable = Partial<Record<TextKey, string>>;

export type Texts = (key: TextKey, values?: Record<string, string>) => string;

/**
 * @param table texts of the language; a missing text falls back to English
 * @param partner texts of the partner, which override those of the language where they have it
 */
export const createTexts =
  (table: TextTable = {}, partner: Record<string, Label> = {}, locale = 'en'): Texts =>
  (key, values = {}) =>
    (wordsIn(own(partner, key), locale) ?? own(table, key) ?? en[key]).replace(
      /\{(\w+)\}/g,
      (whole, name: string) => own(values, name) ?? whole,
    );
