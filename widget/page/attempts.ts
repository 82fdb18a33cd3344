/** The attempt of an intent, shared between tabs and reloads through localStorage (design §4 Identity). */
const LONGEST_MS = 24 * 60 * 60 * 1000;

export type Attempts = { current(): string; forget(): void };
type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const isAttempt = (value: unknown): value is { attempt: string; at: number } =>
  typeof value === 'object' &&
  value !== null &&
  'attempt' in value &&
  typeof value.attempt === 'string' &&
  'at' in value &&
  typeof value.at === 'number';

/** Storage may be denied (a sandboxed frame, a strict browser): then the attempt lives as long as the page. */
function pageStore(): Store | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

/** @param name what the intent says; another content is another attempt */
export function createAttempts(name: string, store: Store | null = pageStore(), now: () => number = Date.now): Attempts {
  const key = `pay-checkout:${name}`;
  let mine: { attempt: string; at: number } | null = null;
  const read = (): typeof mine => {
    try {
      const value: unknown = JSON.parse(store?.getItem(key) ?? 'null');
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
      try {
        store?.setItem(key, JSON.stringify(mine));
      } catch {
        // a full or denied store
      }
      return mine.attempt;
    },
    forget: () => {
      mine = null;
      try {
        store?.removeItem(key);
      } catch {
        // a denied store
      }
    },
  };
}
