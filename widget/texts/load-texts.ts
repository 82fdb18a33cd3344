/** Fetches the texts of a language from the relay. */
import { loadFile } from '../load-file.js';
import type { Fetch } from '../relay-client.js';
import type { TextKey } from './en.js';

export type TextTable = Partial<Record<TextKey, string>>;

/**
 * A request that lasts long still replaces the English texts (language.ts).
 *
 * @returns null when the request fails
 */
export const loadTexts = (
  relay: string,
  locale: string,
  fetch?: Fetch,
): Promise<TextTable | null> =>
  loadFile(
    `${relay}/locales/${locale}.json`,
    (table): TextTable =>
      Object.fromEntries(
        Object.entries(table ?? {}).filter(([, text]) => typeof text === 'string'),
      ),
    fetch,
  );
