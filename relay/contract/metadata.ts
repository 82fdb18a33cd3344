/** What a shop may attach to an intent; its events and the backend's query give it back. */
import { z } from 'zod';

const MAX_KEYS = 20;
const MAX_KEY_CHARACTERS = 40;
const MAX_VALUE_CHARACTERS = 500;
/** Bound of all keys and values together, as JSON. */
const MAX_BYTES = 2048;
/** Names that a receiver's code could mistake for built-in properties of an object. */
const RESERVED_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/** An emoji counts once, as in the other texts of a request; `length` would count it twice. */
const charactersOf = (text: string): number => Array.from(text).length;

export type Metadata = Readonly<Record<string, string>>;

/** @returns what is expected instead of the value; null when the value is valid */
function expectationFor(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'an object of texts';
  // own keys: zod's schema of records would silently drop `__proto__`
  const entries = Object.entries(value);
  if (entries.length > MAX_KEYS) return `at most ${MAX_KEYS} keys`;
  for (const [key, text] of entries) {
    if (key === '' || charactersOf(key) > MAX_KEY_CHARACTERS)
      return `keys of 1 to ${MAX_KEY_CHARACTERS} characters`;
    if (RESERVED_KEYS.includes(key)) return `no key with the name ${key}`;
    if (typeof text !== 'string') return 'texts only, since JSON may change other values';
    if (charactersOf(text) > MAX_VALUE_CHARACTERS)
      return `values of at most ${MAX_VALUE_CHARACTERS} characters`;
    if (/\p{Cs}/u.test(key + text)) return 'texts of whole characters';
  }
  if (new TextEncoder().encode(JSON.stringify(value)).length > MAX_BYTES)
    return `at most ${MAX_BYTES} bytes as JSON`;
  return null;
}

export const metadata = z.custom<Metadata>((value) => expectationFor(value) === null, {
  error: ({ input }) => expectationFor(input) ?? 'an object of texts',
});
