/** What this browser keeps between visits; storage may be denied or full (a sandboxed frame, a strict browser), then nothing is kept. */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export const kept = (
  key: string,
  store: () => Store = () => localStorage,
): { read(): string | null; write(value: string | null): void } => ({
  read: () => {
    try {
      return store().getItem(key);
    } catch {
      return null;
    }
  },
  write: (value) => {
    try {
      if (value === null) store().removeItem(key);
      else store().setItem(key, value);
    } catch {
      // then the page remembers it as long as it stays
    }
  },
});
