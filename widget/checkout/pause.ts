/** The wait between two requests to the relay. */
import type { Page } from '../browser/page.js';
import { timing } from '../timing.js';

/** Resolves after `ms`, or earlier when the page changes or the signal aborts. */
export function pause(page: Page, signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const cancel = ms === Infinity ? () => {} : timing.after(ms, done);
    const stopListening = page.onPageChange(done);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      cancel();
      stopListening();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
