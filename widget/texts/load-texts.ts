/** Fetches the texts of a language from the relay. */
import type { Fetch } from '../relay-client.js';
import { limited } from '../timing.js';
import type { TextKey } from './en.js';

export type TextTable = Partial<Record<TextKey, string>>;

/** Later texts still take the place of English ones (language.ts). */
const MAX_LOAD_MS = 15_000;
const loaded = new Map<string, Promise<TextTable | null>>();

/**
 * The elements of one page share a request; after a failed request, the next call sends another.
 *
 * @returns null when the request fails
 */
export function loadTexts(
  relay: string,
  locale: string,
  fetch: Fetch = (url, init) => globalThis.fetch(url, init),
): Promise<TextTable | null> {
  const url = `${relay}/locales/${locale}.json`;
  const table = loaded.get(url) ?? request(url, fetch);
  loaded.set(url, table);
  return table;
}

async function request(url: string, fetch: Fetch): Promise<TextTable | null> {
  const limit = limited(MAX_LOAD_MS);
  try {
    const response = await fetch(url, { credentials: 'omit', signal: limit.signal });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    const table: unknown = await response.json();
    return Object.fromEntries(
      Object.entries(table ?? {}).filter(([, text]) => typeof text === 'string'),
    );
  } catch {
    loaded.delete(url);
    return null;
  } finally {
    limit.release();
  }
}
