/** The wait between two requests to the relay. */
import type { Page } from '../browser/page.js';

/** Resolves after `ms`, or earlier when the page changes or the signal aborts. */
export function pause(page: Page, signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = ms === Infinity ? undefined : setTimeout(done, ms);
    const stopListening = page.onPageChange(done);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
