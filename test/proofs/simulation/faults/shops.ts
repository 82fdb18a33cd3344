/** Faults of a shop's own backend, of which the relays know nothing. */
import type { Fault } from './fault.js';

/** How long a shop's backend is disturbed, in multiples of the fault's `lastsMs`. */
const LASTS_FACTOR = 10;
/** Below this size (0 to 1) a shop handles webhooks again later; above it, never again. */
const MAX_SIZE_TO_HANDLE_AGAIN = 0.5;

/** Webhooks are acknowledged and never handled, for minutes or until the end of the world. */
export const webhooksLost: Fault = {
  recoveryMs: null,
  happen: async ({ books, scheduler }, { lastsMs, size }) => {
    books.losesWebhooks = true;
    await scheduler.sleep(lastsMs * LASTS_FACTOR);
    if (size < MAX_SIZE_TO_HANDLE_AGAIN) books.losesWebhooks = false;
  },
};

/** The shop loses its database, and puts an older backup in its place. */
export const shopRestored: Fault = {
  recoveryMs: null,
  happen: async ({ books, scheduler }, { lastsMs }) => {
    const copy = books.backup();
    await scheduler.sleep(lastsMs * LASTS_FACTOR);
    books.restore(copy);
  },
};
