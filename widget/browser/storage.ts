/**
 * What this browser keeps between visits. A sandboxed frame or a strict browser denies storage, and
 * storage can be full; nothing is kept then.
 */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Prefix of every key of the widget. */
export const KEY_PREFIX = 'pay-checkout:';
/** Key of the option chosen last; the only entry that outlives an attempt. */
export const CHOICE_KEY = 'choice';

/** @param name the key without its prefix */
export const storageEntry = (
  name: string,
  store: () => Store = () => localStorage,
): { read(): string | null; write(value: string | null): void } => ({
  read: () => {
    try {
      return store().getItem(KEY_PREFIX + name);
    } catch {
      return null;
    }
  },
  write: (value) => {
    try {
      if (value === null) store().removeItem(KEY_PREFIX + name);
      else store().setItem(KEY_PREFIX + name, value);
    } catch {
      // Without storage, the value lives in memory until the page is left.
    }
  },
});

/** The option that the customer chose last in this browser. */
export const rememberedChoice = storageEntry(CHOICE_KEY);
