/** Fetches the texts of a language from the relay. */
import type { Fetch } from '../relay-client.js';
import type { TextKey } from './en.js';

export type TextTable = Partial<Record<TextKey, string>>;

/** After this time, the texts are shown in English. */
const MAX_LOAD_MS = 4000;
const loaded = new Map<string, Promise<TextTable>>();

/**
 * The elements of one page share a request; after a failed request, the next call sends another.
 *
 * @returns an empty table when the request fails, so that English is shown
 */
export function loadTexts(
  relay: string,
  locale: string,
  fetch: Fetch = (url, init) => globalThis.fetch(url, init),
): Promise<TextTable> {
  if (locale === 'en') return Promise.resolve({});
  const url = `${relay}/locales/${locale}.json`;
  const table = loaded.get(url) ?? request(url, fetch);
  loaded.set(url, table);
  return table;
}

async function request(url: string, fetch: Fetch): Promise<TextTable> {
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      signal: AbortSignal.timeout(MAX_LOAD_MS),
    });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const table: unknown = await response.json();
    return Object.fromEntries(
      Object.entries(table ?? {}).filter(([, text]) => typeof text === 'string'),
    );
  } catch {
    loaded.delete(url);
    return {};
  }
}
