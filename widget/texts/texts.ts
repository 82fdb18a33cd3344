/** Finds texts and fills their placeholders. */
import type { Label } from '../../relay/contract/responses.js';
import { own } from '../../relay/contract/read.js';
import type { TextKey } from './en.js';
import { firstTexts } from './first-texts.js';
import { wordsIn } from './label.js';

export type TextTable = Partial<Record<TextKey, string>>;

export type Texts = (key: TextKey, values?: Record<string, string>) => string;

/** Stands for a text that the file of an older or newer relay lacks. */
const words = (key: string): string => key.replaceAll('_', ' ');

/**
 * @param table texts of the language; without them there are only the script's own English texts
 * @param partner texts of the partner, which override those of the language where they have it
 * @param locales the language of the partner's texts, the best one first
 */
export const createTexts =
  (table: TextTable, partner: Record<string, Label> = {}, locales: readonly string[] = []): Texts =>
  (key, values = {}) =>
    (
      wordsIn(own(partner, key), locales) ??
      own(table, key) ??
      own(firstTexts, key) ??
      words(key)
    ).replace(/\{(\w+)\}/g, (whole, name: string) => own(values, name) ?? whole);
