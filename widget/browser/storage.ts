/**
 * What this browser keeps between visits. A sandboxed frame or a strict browser denies storage, and
 * storage can be full; nothing is kept then.
 */
export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Prefix of every key of the widget. */
export const KEY_PREFIX = 'pay-checkout:';

const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/**
 * Tolerance for a clock that was set back after the entry was stored: with less, a page whose clock
 * was some minutes ahead would forget its order, and the customer could pay a second one.
 */
const MAX_AHEAD_MS = 30 * 60 * 1000;

/** Whether an entry that was stored at a time still counts. */
export const isFresh = (at: number, now: number): boolean =>
  at > now - MAX_AGE_MS && at < now + MAX_AHEAD_MS;

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

/**
 * Whether a link of an order was opened in this tab. It is known after a reload too: a customer who
 * comes back from the bank must not pay again.
 */
export const openedLink = (requestId: string): { read(): boolean; write(): void } => {
  const entry = storageEntry(`opened ${requestId}`, () => sessionStorage);
  return { read: () => entry.read() !== null, write: () => entry.write('1') };
};

/** @returns the choice that an entry holds; null when it is older than a day */
export function readChoice(text: string | null, now: number): string | null {
  const [, at, chosen] = /^(\d+) (.+)$/.exec(text ?? '') ?? [];
  return chosen && isFresh(Number(at), now) ? chosen : null;
}

/** A choice of the customer; kept for a day, because others may use the browser. */
const remembered = (name: string): { read(): string | null; write(chosen: string): void } => {
  const entry = storageEntry(name);
  return {
    read: () => {
      const chosen = readChoice(entry.read(), Date.now());
      if (chosen === null) entry.write(null);
      return chosen;
    },
    write: (chosen) => entry.write(`${Date.now()} ${chosen}`),
  };
};

/** The option that the customer chose last. */
export const rememberedChoice = remembered('choice');

/** The name of the wallet that the customer opened last. */
export const rememberedWallet = remembered('wallet');
