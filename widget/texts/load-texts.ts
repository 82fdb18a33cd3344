/** Fetches a language's texts from the relay, beside `checkout`; rendered as text only. */
import type { Fetch } from '../relay-client.js';
import type { TextKey } from './en.js';

export type TextTable = Partial<Record<TextKey, string>>;

/** Milliseconds; English after that. */
const MAX_LOAD_MS = 4000;
const loaded = new Map<string, Promise<TextTable>>();

/**
 * Several elements of a page share one request; one that failed is asked again by the next. Never
 * rejects.
 */
export function loadTexts(
  relay: string,
  locale: string,
  fetch: Fetch = (url, init) => globalThis.fetch(url, init),
): Promise<TextTable> {
  if (locale === 'en') return Promise.resolve({});
  const url = `${relay}/locales/${locale}.json`;
  const known = loaded.get(url) ?? ask(url, fetch);
  loaded.set(url, known);
  return known;
}

async function ask(url: string, fetch: Fetch): Promise<TextTable> {
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
