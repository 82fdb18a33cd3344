/**
 * The attempt of an intent, shared between tabs and reloads through localStorage (design §4
 * Identity).
 */
import { digest } from './digest.js';
import { CHOICE, kept, PREFIX, type Store } from './store.js';

const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** A clock that was put right by less than this loses no attempt. */
const AHEAD_MS = 60_000;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const DIGEST = /^[\da-f]{32}$/;

export type Attempts = { current(): string; forget(): void };

export type StoredAttempts = Attempts & {
  /** @returns whether the attempt began on an earlier visit, possibly by another person */
  isEarlier(): boolean;
};

type Kept = { attempt: string; at: number };

/** Attempts that this page began. Another one in the storage may be somebody else's. */
const begunHere = new Set<string>();

const isAttempt = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'attempt' in value &&
  typeof value.attempt === 'string' &&
  UUID.test(value.attempt) &&
  'at' in value &&
  typeof value.at === 'number';

const isFresh = ({ at }: Kept, now: number): boolean =>
  at > now - MAX_AGE_MS && at < now + AHEAD_MS;

/** @returns null for what is no attempt, is too old, or lies in the future */
function readAttempt(text: string | null, now: number): Kept | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return isAttempt(value) && isFresh(value, now) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Removes what is over. An earlier version kept tokens, products and customers readable in its
 * keys: those go at once, and an attempt under way goes on under its digest.
 */
function sweep(store: (() => Store) | undefined, now: number): void {
  for (const name of names(store)) {
    const old = kept(name, store);
    const text = old.read();
    const attempt = readAttempt(text, now);
    if (attempt && DIGEST.test(name)) continue;
    old.write(null);
    const place = kept(digest(name), store);
    if (attempt && place.read() === null) place.write(text);
  }
}

function names(store: () => Store = () => localStorage): string[] {
  try {
    return Object.keys(store())
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length))
      .filter((name) => name !== CHOICE);
  } catch {
    return [];
  }
}

/** @param name what the intent says; another content is another attempt */
export function createAttempts(
  name: string,
  store?: () => Store,
  now: () => number = Date.now,
): StoredAttempts {
  sweep(store, now());
  const place = kept(digest(name), store);
  let mine: Kept | null = null;
  /** The last that was asked with: a payment that is shown ends the attempt, not this question. */
  let asked: string | null = null;
  return {
    current: () => {
      mine = readAttempt(place.read(), now()) ?? mine;
      if (!mine || !isFresh(mine, now())) {
        mine = { attempt: crypto.randomUUID(), at: now() };
        begunHere.add(mine.attempt);
        place.write(JSON.stringify(mine));
      }
      asked = mine.attempt;
      return asked;
    },
    forget: () => {
      mine = null;
      place.write(null);
    },
    isEarlier: () => asked !== null && !begunHere.has(asked),
  };
}
