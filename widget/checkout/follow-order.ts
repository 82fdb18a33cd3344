/**
 * Follows one order by long polling: one question at a time, none while the page is hidden, never
 * ended by an error (design §7).
 */
import type { Order } from '../../relay/contract/order.js';
import type { Page } from '../browser/page.js';
import { RelayFailure, type RelayClient } from '../relay-client.js';

type Following = {
  client: RelayClient;
  page: Page;
  order: Order;
  signal: AbortSignal;
  onOrder: (order: Order) => void;
};

/** Seconds; the relay's longest. */
const WAIT_S = 25;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;

/**
 * Ends only with the signal.
 *
 * @throws RelayFailure `order_unknown`: the relay will never know this order
 */
export async function followOrder({
  client,
  page,
  order,
  signal,
  onOrder: hear,
}: Following): Promise<void> {
  const { request_id, order_key } = order;
  let known = order.status;
  for (let failures = 0; !signal.aborted;) {
    if (page.hidden()) {
      await pageVisibility(page, signal, Infinity);
      continue;
    }
    const asked = performance.now();
    const looking = whileShown(page, signal);
    try {
      const latest = await client.query(
        { request_id, order_key, known_status: known, wait: WAIT_S },
        looking.signal,
      );
      failures = 0;
      const unchanged = latest.status === known;
      known = latest.status;
      hear(latest);
      // a relay that does not hold the question must not be asked in a tight loop
      if (unchanged && performance.now() - asked < FIRST_PAUSE_MS)
        await pageVisibility(page, signal, FIRST_PAUSE_MS);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RelayFailure && error.code === 'order_unknown') throw error;
      if (!looking.signal.aborted)
        await pageVisibility(
          page,
          signal,
          Math.min(FIRST_PAUSE_MS * 2 ** failures++, MAX_PAUSE_MS),
        );
    } finally {
      looking.stop();
    }
  }
}

/**
 * A signal that aborts with `signal`, or when the page is hidden: browsers have few connections,
 * and the shop needs them.
 */
function whileShown(page: Page, signal: AbortSignal): { signal: AbortSignal; stop: () => void } {
  const abort = new AbortController();
  const stopListening = page.onPageChange(() => {
    if (page.hidden()) abort.abort();
  });
  return { signal: AbortSignal.any([signal, abort.signal]), stop: stopListening };
}

/** Resolves after `ms`, or at once when the page turns or the signal aborts. */
function pageVisibility(page: Page, signal: AbortSignal, ms: number): Promise<void> {
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
