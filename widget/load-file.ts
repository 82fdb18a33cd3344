/** Fetches a file of the relay. The elements of one page share a request. */
import { loaded } from './loaded-files.js';
import { pageFetch } from './relay-client.js';
import { limited } from './timing.js';

const MAX_LOAD_MS = 15_000;
const MAX_LOADED = 100;

/**
 * Asks a second time when the first answer is of no use: a cache may keep a wrong one for hours,
 * and the request that the page began with may have failed. A later call asks again.
 *
 * @param read reads the file's JSON; it may throw
 * @param again asks anew, past a request that hangs: it also locks the file in the browser's cache
 * @returns null when the file cannot be loaded or read
 */
export async function loadFile<T>(
  url: string,
  read: (value: unknown) => T,
  fetch = pageFetch,
  again = false,
): Promise<T | null> {
  // the process of a relay that renders pages could be asked for ever more language tags
  if (loaded.size >= MAX_LOADED) loaded.clear();
  if (again) loaded.delete(url);
  for (let isLast = again; ; isLast = true) {
    const file = loaded.get(url) ?? request(url, fetch, isLast ? 'reload' : 'default');
    loaded.set(url, file);
    try {
      return read(await file);
    } catch {
      // another call may have asked meanwhile
      if (loaded.get(url) === file) loaded.delete(url);
      if (isLast) return null;
    }
  }
}

async function request(
  url: string,
  fetch: typeof pageFetch,
  cache: RequestCache,
): Promise<unknown> {
  const limit = limited(MAX_LOAD_MS);
  try {
    const response = await fetch(url, { cache, credentials: 'omit', signal: limit.signal });
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    return await response.json();
  } finally {
    limit.release();
  }
}
