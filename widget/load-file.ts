/** Fetches a file of the relay. The elements of one page share a request. */
import { loaded } from './loaded-files.js';
import { pageFetch } from './relay-client.js';
import { limited } from './timing.js';

const MAX_LOAD_MS = 15_000;
const MAX_LOADED = 100;

/**
 * After a failed request, the next call sends another.
 *
 * @param read reads the file's JSON; it may throw
 * @returns null when the request fails, or when the file cannot be read
 */
export async function loadFile<T>(
  url: string,
  read: (value: unknown) => T,
  fetch = pageFetch,
): Promise<T | null> {
  // the process of a relay that renders pages could be asked for ever more language tags
  if (loaded.size >= MAX_LOADED) loaded.clear();
  const file = loaded.get(url) ?? request(url, fetch);
  loaded.set(url, file);
  try {
    return read(await file);
  } catch {
    loaded.delete(url);
    return null;
  }
}

async function request(url: string, fetch: typeof pageFetch): Promise<unknown> {
  const limit = limited(MAX_LOAD_MS);
  try {
    const response = await fetch(url, { credentials: 'omit', signal: limit.signal });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await response.json();
  } finally {
    limit.release();
  }
}
