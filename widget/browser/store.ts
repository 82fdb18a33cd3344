/**
 * What this browser keeps between visits; storage may be denied or full (a sandboxed frame, a
 * strict browser), then nothing is kept.
 */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Of every key of ours. */
export const PREFIX = 'pay-checkout:';
/**
 * The name of what is kept longest: the customer's last way to pay, and nothing of the purchase.
 */
export const CHOICE = 'choice';

/** @param name the key, without its prefix */
export const kept = (
  name: string,
  store: () => Store = () => localStorage,
): { read(): string | null; write(value: string | null): void } => ({
  read: () => {
    try {
      return store().getItem(PREFIX + name);
    } catch {
      return null;
    }
  },
  write: (value) => {
    try {
      if (value === null) store().removeItem(PREFIX + name);
      else store().setItem(PREFIX + name, value);
    } catch {
      // then the page remembers it as long as it stays
    }
  },
});
