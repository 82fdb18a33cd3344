/** Tells the operator of a transaction of the ledger that holds back the lists. */
import type { Log } from '../runtime.js';
import type { HeldBack, Ledger } from './ledger.js';

/** Transactions of the ledger last milliseconds; a statement may wait for a lock for 10 s. */
const LONG_MS = 5000;

/** @returns what has held back a list for a long time, or null */
export async function readHeldBack(ledger: Pick<Ledger, 'heldBack'>): Promise<HeldBack | null> {
  const found = await ledger.heldBack();
  return found && found.ms >= LONG_MS ? found : null;
}

/** Makes the work that logs once when a list is held back, and once when it goes on. */
export function reportHeldBack(ledger: Pick<Ledger, 'heldBack'>, log: Log): () => Promise<void> {
  let isHeld = false;
  return async () => {
    const found = await readHeldBack(ledger);
    if (found && !isHeld) {
      const message = 'an open transaction of the ledger holds back the lists';
      log('error', 'lists', { message, by: found.by, for_s: Math.round(found.ms / 1000) });
    }
    if (!found && isHeld) log('info', 'lists', { message: 'the lists go on' });
    isHeld = found !== null;
  };
}
