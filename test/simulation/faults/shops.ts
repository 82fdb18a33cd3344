/** What happens to a shop's own backend, of which the relays know nothing. */
import type { Fault } from './fault.js';

/** Webhooks are acknowledged and never handled, for minutes or until the end of the world. */
export const webhooksLost: Fault = {
  recoveryMs: null,
  happen: async ({ books, scheduler }, { lastsMs, size }) => {
    books.losesWebhooks = true;
    await scheduler.sleep(lastsMs * 10);
    if (size < 0.5) books.losesWebhooks = false;
  },
};

/** The shop loses its database, and puts an older backup in its place. */
export const shopRestored: Fault = {
  recoveryMs: null,
  happen: async ({ books, scheduler }, { lastsMs }) => {
    const copy = books.backup();
    await scheduler.sleep(lastsMs * 10);
    books.restore(copy);
  },
};
