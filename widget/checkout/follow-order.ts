/**
 * Follows one order by long polling: one query at a time, and none while the page is hidden. An
 * error delays the next query; only `order_unknown` ends the polling.
 */
import type { Order } from '../../relay/contract/order.js';
import type { Page } from '../browser/page.js';
import { RelayFailure, type RelayClient } from '../relay-client.js';
import { pause } from './pause.js';

type Following = {
  client: RelayClient;
  page: Page;
  order: Order;
  signal: AbortSignal;
  onOrder: (order: Order) => void;
  /** Called with true when the relay has not answered for a while, and with false when it does. */
  onBlind: (blind: boolean) => void;
};

/** Longest wait that the relay accepts. */
const MAX_WAIT_S = 25;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;
/** After so many failures, or so long after the first one, the customer is told. */
const MAX_FAILURES = 3;
const MAX_BLIND_MS = 15_000;

/**
 * Runs until the signal aborts.
 *
 * @throws RelayFailure with `order_unknown`: the relay does not have this order
 */
export async function followOrder({
  client,
  page,
  order,
  signal,
  onOrder,
  onBlind,
}: Following): Promise<void> {
  const { request_id, order_key } = order;
  let known = order.status;
  let failures = 0;
  let blindTimer: ReturnType<typeof setTimeout> | undefined;
  const see = (): void => {
    failures = 0;
    clearTimeout(blindTimer);
    onBlind(false);
  };
  const fail = (): void => {
    failures++;
    if (failures === 1) blindTimer = setTimeout(() => onBlind(true), MAX_BLIND_MS);
    if (failures === MAX_FAILURES) onBlind(true);
  };
  signal.addEventListener('abort', see, { once: true });
  while (!signal.aborted) {
    if (page.hidden()) {
      await pause(page, signal, Infinity);
      continue;
    }
    const askedAtMs = performance.now();
    const visible = whileVisible(page, signal);
    try {
      const latest = await client.query(
        { request_id, order_key, known_status: known, wait: MAX_WAIT_S },
        visible.signal,
      );
      see();
      const unchanged = latest.status === known;
      known = latest.status;
      onOrder(latest);
      // A relay that does not hold the query open must not be polled in a tight loop.
      if (unchanged && performance.now() - askedAtMs < FIRST_PAUSE_MS)
        await pause(page, signal, FIRST_PAUSE_MS);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RelayFailure && error.code === 'order_unknown') throw error;
      if (visible.signal.aborted) continue;
      fail();
      await pause(page, signal, Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS));
    } finally {
      visible.stop();
    }
  }
}

/**
 * A hidden page must not keep a connection open: browsers allow few connections to one host.
 *
 * @returns a signal that aborts with `signal` or when the page is hidden
 */
function whileVisible(page: Page, signal: AbortSignal): { signal: AbortSignal; stop: () => void } {
  const abort = new AbortController();
  const end = (): void => abort.abort();
  signal.addEventListener('abort', end);
  const stopListening = page.onPageChange(() => {
    if (page.hidden()) end();
  });
  return {
    signal: abort.signal,
    stop: () => {
      stopListening();
      signal.removeEventListener('abort', end);
    },
  };
}
