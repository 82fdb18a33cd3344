/** The attempt of an intent, shared between tabs and reloads through localStorage. */
import { digest } from './digest.js';
import { KEY_PREFIX, isFresh, readChoice, storageEntry, type Store } from './storage.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export type Attempts = {
  /** @returns the stored attempt, or a new one when there is none or it is too old */
  current(): string;
  /** @param only keeps the stored attempt when it is not this one: another tab has stored it */
  forget(only?: string): void;
};

export type StoredAttempts = Attempts & {
  /** @returns whether the attempt began on an earlier visit, possibly by another person */
  isEarlier(): boolean;
};

/** A UUID of version 4. `crypto.randomUUID` is missing on a page without HTTPS. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = (8 + ((bytes[8] ?? 0) & 3)).toString(16);
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`);
}

type StoredAttempt = { attempt: string; at: number };

/** Attempts that the browser refused to store, by digest of the name; all elements share them. */
const unstored = new Map<string, StoredAttempt>();

/** Attempts that began on this page; any other stored attempt may belong to another person. */
const startedOnThisPage = new Set<string>();

/** @returns null when the text is not an attempt, or the attempt is too old or in the future */
function readAttempt(text: string | null, now: number): StoredAttempt | null {
  try {
    const { attempt, at }: Record<string, unknown> = JSON.parse(text ?? '');
    const isAttempt = typeof attempt === 'string' && UUID.test(attempt);
    return isAttempt && typeof at === 'number' && isFresh(at, now) ? { attempt, at } : null;
  } catch {
    return null;
  }
}

/** Removes what has expired or cannot be read. */
function removeStale(store: (() => Store) | undefined, now: number): void {
  for (const name of storedNames(store)) {
    const stored = storageEntry(name, store);
    const text = stored.read();
    if (!readAttempt(text, now) && !readChoice(text, now)) stored.write(null);
  }
}

function storedNames(store: () => Store = () => localStorage): string[] {
  try {
    return Object.keys(store())
      .filter((key) => key.startsWith(KEY_PREFIX))
      .map((key) => key.slice(KEY_PREFIX.length));
  } catch {
    return [];
  }
}

/**
 * The name of a purchase's attempt. With a new name the page would forget its order, so it leaves
 * out the address of the relay, which may move, and the return URL, which may contain a number that
 * changes with each load of the page.
 */
export const purchaseName = (subject: object | null): string =>
  JSON.stringify(subject, (key, value: unknown) => (key === 'return_url' ? undefined : value));

/** @param name from `purchaseName`; an intent with other content has another attempt */
export function createAttempts(
  name: string,
  store?: () => Store,
  now: () => number = Date.now,
): StoredAttempts {
  removeStale(store, now());
  const key = digest(name);
  const entry = storageEntry(key, store);
  let stored: StoredAttempt | null = unstored.get(key) ?? null;
  /** Kept by `forget`: `isEarlier` is also asked after a payment has ended the attempt. */
  let lastUsed: string | null = null;
  return {
    current: () => {
      stored = readAttempt(entry.read(), now()) ?? stored;
      if (!stored || !isFresh(stored.at, now())) {
        stored = { attempt: randomUuid(), at: now() };
        startedOnThisPage.add(stored.attempt);
        entry.write(JSON.stringify(stored));
        if (!entry.read()) unstored.set(key, stored);
      }
      lastUsed = stored.attempt;
      return lastUsed;
    },
    forget: (only) => {
      stored = null;
      unstored.delete(key);
      if (!only || entry.read()?.includes(only)) entry.write(null);
    },
    isEarlier: () => lastUsed !== null && !startedOnThisPage.has(lastUsed),
  };
}
