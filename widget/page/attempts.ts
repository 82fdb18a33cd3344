/** The attempt of an intent, shared between tabs and reloads through localStorage (design §4 Identity). */
import { kept, type Store } from './store.js';

const LONGEST_MS = 24 * 60 * 60 * 1000;

export type Attempts = { current(): string; forget(): void };
const isAttempt = (value: unknown): value is { attempt: string; at: number } =>
  typeof value === 'object' &&
  value !== null &&
  'attempt' in value &&
  typeof value.attempt === 'string' &&
  'at' in value &&
  typeof value.at === 'number';

/** @param name what the intent says; another content is another attempt */
export function createAttempts(
  name: string,
  store?: () => Store,
  now: () => number = Date.now,
): Attempts {
  const place = kept(`pay-checkout:${name}`, store);
  let mine: { attempt: string; at: number } | null = null;
  const read = (): typeof mine => {
    try {
      const value: unknown = JSON.parse(place.read() ?? 'null');
      return isAttempt(value) ? value : null;
    } catch {
      return null;
    }
  };
  return {
    current: () => {
      mine = read() ?? mine;
      if (mine && now() - mine.at < LONGEST_MS) return mine.attempt;
      mine = { attempt: crypto.randomUUID(), at: now() };
      place.write(JSON.stringify(mine));
      return mine.attempt;
    },
    forget: () => {
      mine = null;
      place.write(null);
    },
  };
}
