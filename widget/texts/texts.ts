/** Finds texts and fills their placeholders. */
import { own } from '../../relay/contract/read.js';
import { en, type TextKey } from './en.js';
import type { TextTable } from './load-texts.js';

export type Texts = (key: TextKey, values?: Record<string, string>) => string;

/**
 * @param table texts of the language; a missing text falls back to English
 * @param partner texts of the partner, which override those of the language
 */
export const createTexts =
  (table: TextTable = {}, partner: TextTable = {}): Texts =>
  (key, values = {}) =>
    (own(partner, key) ?? own(table, key) ?? en[key]).replace(
      /\{(\w+)\}/g,
      (whole, name: string) => own(values, name) ?? whole,
    );
