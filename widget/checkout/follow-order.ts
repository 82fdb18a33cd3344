/**
 * Follows one order by long polling: one query at a time, and none while the page is hidden. A page
 * that comes back asks at once. An error delays the next query; only `order_unknown` ends the
 * polling.
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
  wait: Wait;
  onOrder: (order: Order) => void;
  /**
   * Called with true when the relay has not answered for a while, or could not ask the service, and
   * with false when it does.
   */
  onBlind: (blind: boolean) => void;
};

/** The waits at the relay. What a page learned with one order holds for its next one too. */
type Wait = { nextS: number; mostS: number };

/** The wait of the first query; each that came back whole doubles it, up to the page’s most. */
const FIRST_WAIT_S = 25;
/** The page's most lies between 45 and 55 s: pages that opened together must not ask together. */
const MAX_WAIT_S = 45;
const SPREAD_S = 10;
/** Some proxies end a silent request after a fixed time; later waits stay this much below it. */
const BELOW_CUT_S = 5;
/**
 * A request that failed after this time was held by the relay, and was cut on its way. An earlier
 * end may be a failure, so it halves the next wait only.
 */
const MIN_CUT_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;
/** A page may come back many times in a row; each wait lasts at least so long. */
const MIN_HELD_MS = 1000;
/** Between two requests of an element that may not hold one open. */
const NO_TURN_PAUSE_MS = 5000;
/** After so many failures, or `MAX_LATE_MS` without an answer that was due, this is reported. */
const MAX_FAILURES = 3;

export const firstWait = (): Wait => ({
  nextS: FIRST_WAIT_S,
  mostS: MAX_WAIT_S + SPREAD_S * Math.random(),
});

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
  wait,
  onOrder,
  onBlind,
}: Following): Promise<void> {
  let known = order;
  let failures = 0;
  let wasCut = false;
  let stopTimer = (): void => {};
  const see = (): void => {
    failures = 0;
    stopTimer();
    onBlind(false);
  };
  /**
   * Pauses before the next query.
   *
   * @param lateMs how long ago the answer was due; a call that hung has used up the time
   */
  const fail = (step: AbortSignal, lateMs: number): Promise<void> => {
    failures++;
    if (failures === 1)
      stopTimer = timing.after(MAX_LATE_MS - Math.max(0, lateMs), () => onBlind(true));
    if (failures >= MAX_FAILURES) onBlind(true);
    return pause(page, step, Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), MAX_PAUSE_MS));
  };
  signal.addEventListener('abort', see, { once: true });
  const ask = async (turn: Turn): Promise<void> => {
    const askedAtMs = timing.nowMs();
    // The relay answers at once after a failure, so that the customer's notice goes, and after a
    // wait that the page has ended.
    const waitS = turn.isMine() && failures === 0 && !wasCut ? wait.nextS : 0;
    const step = turn.nextStep(waitS > 0);
    try {
      const latest = await client.query(known, waitS, step);
      const { service_unreachable, status } = latest;
      if (!service_unreachable) see();
      const isUnchanged = status === known.status;
      known = latest;
      onOrder(latest);
      if (service_unreachable) return void (signal.aborted || (await fail(step, 0)));
      const tookMs = timing.nowMs() - askedAtMs;
      if (!turn.isMine()) await pause(page, step, NO_TURN_PAUSE_MS);
      // A relay that does not hold the query open must not be polled in a tight loop.
      else if (isUnchanged && tookMs < FIRST_PAUSE_MS) await pause(page, step, FIRST_PAUSE_MS);
      else if (tookMs > MIN_CUT_MS) wait.nextS = Math.min(2 * wait.nextS, wait.mostS);
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof RelayFailure && error.code;
      if (code === 'order_unknown') throw error;
      if (step.aborted) return;
      const tookMs = timing.nowMs() - askedAtMs;
      if (code === 'relay_unreachable' && tookMs < waitS * 1000) {
        if (tookMs > MIN_CUT_MS) {
          wait.nextS = wait.mostS = tookMs / 1000 - BELOW_CUT_S;
          return;
        }
        wait.nextS /= 2;
      }
      await fail(step, tookMs - waitS * 1000);
    } finally {
      wasCut = step.aborted;
    }
  };
  while (!signal.aborted) {
    if (page.hidden()) {
      await pause(page, signal, Infinity);
      continue;
    }
    const turn = createTurn(page, signal);
    try {
      while (!turn.visible.aborted) await ask(turn);
    } finally {
      turn.end();
    }
  }
}

/** The time while the page is visible. */
type Turn = {
  readonly visible: AbortSignal;
  /** Whether this element may hold a request open. */
  isMine(): boolean;
  /**
   * @param mayWait whether the relay may hold the next request open
   * @returns the signal of the next request
   */
  nextStep(mayWait: boolean): AbortSignal;
  end(): void;
};

/**
 * A hidden page must not keep a connection open: browsers allow few connections to one host. On a
 * page that comes back, a connection that was held open may be dead.
 *
 * @param signal ends the turn, as a page that is hidden does
 */
function createTurn(page: Page, signal: AbortSignal): Turn {
  const visible = new AbortController();
  let mine = true;
  let step = new AbortController();
  let mayEndFromMs = Infinity;
  const end = (): void => {
    visible.abort();
    step.abort();
    stopListening();
  };
  signal.addEventListener('abort', end, { signal: visible.signal });
  const stopListening = page.onPageChange((change) => {
    if (page.hidden()) end();
    else if (change?.type !== 'offline' && timing.nowMs() >= mayEndFromMs) step.abort();
  });
  page.takeTurn(visible.signal, (now) => {
    if (now === mine) return;
    mine = now;
    step.abort();
  });
  return {
    visible: visible.signal,
    isMine: () => mine,
    nextStep: (mayWait) => {
      mayEndFromMs = mayWait ? timing.nowMs() + MIN_HELD_MS : Infinity;
      step = new AbortController();
      return step.signal;
    },
    end,
  };
}
