/**
 * Follows one order by long polling: one query at a time, and none while the page is hidden. An
 * error delays the next query; only `order_unknown` ends the polling.
 */
import type { Order } from '../../relay/contract/order.js';
import type { Page } from '../browser/page.js';
import { MAX_LATE_MS, RelayFailure, type RelayClient } from '../relay-client.js';
import { timing } from '../timing.js';
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
/** Between two requests of an element that may not hold one open. */
const NO_TURN_PAUSE_MS = 5000;
/** After so many failures, or `MAX_LATE_MS` without an answer that was due, this is reported. */
const MAX_FAILURES = 3;

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
  let stopTimer = (): void => {};
  const see = (): void => {
    failures = 0;
    stopTimer();
    onBlind(false);
  };
  /** @param lateMs how long ago the answer was due; a call that hung has used up the time */
  const fail = (lateMs: number): void => {
    failures++;
    if (failures === 1)
      stopTimer = timing.after(MAX_LATE_MS - Math.max(0, lateMs), () => onBlind(true));
    if (failures === MAX_FAILURES) onBlind(true);
  };
  signal.addEventListener('abort', see, { once: true });
  const ask = async (turn: Turn): Promise<void> => {
    const step = turn.nextStep();
    const askedAtMs = timing.nowMs();
    const wait = turn.isMine() ? MAX_WAIT_S : 0;
    try {
      const latest = await client.query(
        { request_id, order_key, known_status: known, ...(wait > 0 && { wait }) },
        step,
      );
      see();
      const unchanged = latest.status === known;
      known = latest.status;
      onOrder(latest);
      if (!turn.isMine()) await pause(page, step, NO_TURN_PAUSE_MS);
      // A relay that does not hold the query open must not be polled in a tight loop.
      else if (unchanged && timing.nowMs() - askedAtMs < FIRST_PAUSE_MS)
        await pause(page, step, FIRST_PAUSE_MS);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RelayFailure && error.code === 'order_unknown') throw error;
      if (step.aborted) return;
      fail(timing.nowMs() - askedAtMs - wait * 1000);
      await pause(page, step, Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS));
    }
  };
  while (!signal.aborted) {
    if (page.hidden()) {
      await pause(page, signal, Infinity);
      continue;
    }
    const visible = whileVisible(page, signal);
    const turn = createTurn(page, visible.signal);
    try {
      while (!visible.signal.aborted) await ask(turn);
    } finally {
      visible.stop();
    }
  }
}

/** Whether this element may hold a request open, and the signal of each of its requests. */
type Turn = { isMine(): boolean; nextStep(): AbortSignal };

/** @param visible ends the turn, and the request under way */
function createTurn(page: Page, visible: AbortSignal): Turn {
  let mine = true;
  let step = new AbortController();
  visible.addEventListener('abort', () => step.abort());
  page.takeTurn(visible, (now) => {
    if (now === mine) return;
    mine = now;
    step.abort();
  });
  return {
    isMine: () => mine,
    nextStep: () => (step = new AbortController()).signal,
  };
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
      end();
      stopListening();
      signal.removeEventListener('abort', end);
    },
  };
}
