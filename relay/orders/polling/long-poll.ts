/**
 * Long polls of customers who wait for an order, and the sweep of orders that nobody waits for.
 *
 * How an order is followed. The ledger says when its next check is due (schedule.ts): every 2 s
 * when it is young, every hour when it is days old, and never after `limits.follow_days`, unless a
 * webhook signal comes or the last check gets no answer (order-state.ts). All relays of a ledger
 * share one budget of queries per second (instances.ts), so a due order is not queried at once. It
 * goes through four states:
 *
 * - **at rest**: its check is not due. A page that waits for it sleeps until then.
 * - **queued**: somebody wants a query, and it waits for a slot of the budget (query-queue.ts). The
 *   sweep queues due orders that it has leased from the ledger; a waiting page queues its own due
 *   order; a page or backend that asks now queues with `asked`; a webhook signal, a lost answer or
 *   a refusal queues with `urgent`. Whoever comes second joins the first, and may raise its
 *   urgency.
 * - **asked**: it has a slot, has claimed its query slot in the ledger, and its query is under way.
 *   A claim that another relay took a moment ago sends it back to rest, with what the ledger knows.
 *   A signal that comes now waits for this answer and then queues again, because the answer may be
 *   older than the signal.
 * - **answered**: `transition` has read the answer, the ledger has the order and its next check,
 *   and the listeners of the intent are called (order-store.ts). A waiting page wakes when the
 *   change concerns it (waited-orders.ts), and answers its customer. The order is at rest again, or
 *   its outcome is final and it is followed no more.
 *
 * Slots are given in rounds (query-queue.ts): urgent queries get all but two of sixteen, one goes
 * to the youngest order, one to a page that asks, and the rest to whoever has waited longest. So no
 * flood of signals or pages stops the schedule, and no old order waits for ever. While the process
 * is busy it gives fewer scheduled slots (budget.ts), because pays come first. While the circuit
 * breaker is open nothing is queued and no page waits: everybody gets what the ledger knows.
 *
 * Ends are spread, and a turn of the event loop ends few long polls (pacing.ts): otherwise all
 * customers of a restarted relay would come back at the same moment for ever.
 */
import type { Trace } from '../../contract/trace.js';
import type { OrderInIntent } from '../../ledger/intent.js';
import { isBeingSent } from '../../ledger/open-orders.js';
import type { OrderRow } from '../../ledger/rows.js';
import type { OnGone } from '../../runtime.js';
import type { Context } from '../context.js';
import type { OrderStore } from '../order-store.js';
import type { TokenBucket } from './budget.js';
import { createEvenEnds, createTurns, nextTurn } from './pacing.js';
import {
  createQueryOrder,
  MIN_QUERY_INTERVAL_MS,
  RECHECK_MS,
  type QueryOrder,
} from './query-order.js';
import { createWaitedOrders, type WaitedOrder } from './waited-orders.js';

/**
 * How long a due order is leased, so that no other relay queries it; renewed while it is queued.
 */
export const DUE_LEASE_MS = 10_000;
/** Orders that one step of a sweep leases. A relay with a large budget takes several steps. */
const MAX_ORDERS_PER_STEP = 100;
/** A page learns within this time what its status cannot say. */
const MAX_UNSAID_MS = 1000;
/** Most long polls that end without news in one turn of the event loop. */
const MAX_ENDS_IN_TURN = 8;

/** What a page knows of its order: one of the two, or nothing. */
export type PageState = {
  readonly known_version?: number | undefined;
  readonly known_status?: number | null | undefined;
};

export type LongPoll = {
  /**
   * Asks the service, unless it was asked within the last second. With `urgent` it is asked in any
   * case, and before most others.
   *
   * @returns the order after the answer, or as it is known when the answer takes longer than `ms`
   */
  check(
    found: OrderInIntent,
    ms: number,
    urgency?: 'asked' | 'urgent',
    trace?: Trace,
  ): Promise<OrderInIntent>;
  /** Asks the service at once, after a lost answer, a refusal or a webhook signal. */
  queryNow(order: OrderRow, trace?: Trace): Promise<OrderInIntent>;
  /**
   * The order of a page that asks again; null when it must be read, and passed to `remember`. When
   * the page knows another version, only the ledger can say which of the two is newer.
   */
  remembered(requestId: string, page: PageState): WaitedOrder | null;
  /**
   * The caller must not keep `found`: thousands wait, and rows need much memory.
   *
   * @param readAtChange `changeCount` of the store before the order was read
   */
  remember(found: OrderInIntent, readAtChange: number): WaitedOrder;
  /** Resolves when the order differs from what the page knows, at the latest after `seconds`. */
  wait(waited: WaitedOrder, page: PageState, seconds: number, onGone: OnGone): Promise<void>;
  /** Queues orders whose check is due, whether a customer waits for them or not. */
  sweep(limit: number): Promise<void>;
  /** The number of orders that wait for a slot. */
  queued(): number;
  /** Asks the service when the order gets a slot (query-order.ts). */
  query: QueryOrder['query'];
  inBudget: QueryOrder['inBudget'];
  /**
   * Ends all present and later long polls with the order as it is known.
   *
   * @param next of the relay's next configuration, which gets the queries that were not sent
   */
  drain(next?: QueryOrder['query']): void;
};

/** What wakes a long poll: a change that concerns it, the end of its request, or a drain. */
type WaitingPage = {
  /** Whether the customer has left. */
  isGone(): boolean;
  /** Ends early when the long poll is woken, also when it was woken before. */
  sleep(ms: number): Promise<void>;
  leave(): void;
};

/**
 * @param perSecond this relay's share of the budget of queries
 * @param slots the slots of that share, which several configurations may use
 */
export function createLongPoll(
  context: Context,
  store: OrderStore,
  perSecond: () => number,
  slots: TokenBucket,
): LongPoll {
  const { breaker, clock, ledger, log, metrics, ledgerClock } = context;
  const {
    drain: drainQueries,
    inBudget,
    isQueued,
    isUnderWay,
    query,
    queryDue,
    queued,
  } = createQueryOrder(context, store, perSecond, slots);
  /** Wakes each waiting long poll. */
  const wakers = new Set<() => void>();
  /** The orders that the sweep queued, and that may still wait for a slot. */
  const swept = new Set<string>();
  const evenEnd = createEvenEnds(() => clock.elapsed());
  const enterTurn = createTurns(MAX_ENDS_IN_TURN);
  const waitedOrders = createWaitedOrders(context, store);
  let draining = false;

  const enter = (waited: WaitedOrder, onGone: OnGone): WaitingPage => {
    let isAwake = false;
    let isGone = false;
    let endSleep: (() => void) | null = null;
    const wake = (): void => {
      isAwake = true;
      endSleep?.();
    };
    waitedOrders.enter(waited, wake);
    wakers.add(wake);
    const stopListening = onGone(() => {
      isGone = true;
      wake();
    });
    return {
      isGone: () => isGone,
      sleep: (ms) =>
        new Promise<void>((resolve) => {
          endSleep = () => {
            cancel();
            endSleep = null;
            isAwake = false;
            resolve();
          };
          const cancel = clock.after(ms, endSleep);
          if (isAwake) endSleep();
        }),
      leave: () => {
        stopListening();
        wakers.delete(wake);
        waitedOrders.leave(waited, wake);
      },
    };
  };

  const inBackground = (
    work: Promise<unknown>,
    { intent_id, request_id }: Pick<OrderRow, 'intent_id' | 'request_id'>,
  ): void =>
    void work.catch((error: unknown) =>
      log('error', 'query', { intent_id, request_id, error: String(error) }),
    );

  /**
   * Asks about the order when it is due.
   *
   * @returns how long the long poll may sleep
   */
  const askWhenDue = (waited: WaitedOrder): number => {
    const dueInMs = (waited.next_check_at ?? Infinity) - ledgerClock.now();
    if (dueInMs > 0) return dueInMs;
    inBackground(queryDue(waited), waited);
    if (isUnderWay(waited.request_id)) return Infinity;
    waited.isStale = true;
    return RECHECK_MS;
  };
  const hold = async (
    waited: WaitedOrder,
    isNews: () => boolean,
    until: number,
    onGone: OnGone,
  ): Promise<void> => {
    const page = enter(waited, onGone);
    const askedAt = ledgerClock.agingNow();
    metrics.add('waiting_checkouts', 1);
    try {
      for (;;) {
        const leftMs = until - clock.elapsed();
        // while nobody may ask the service, a page that waits would only read the ledger
        const isOver = leftMs <= 0 || page.isGone() || draining || breaker.isOpen();
        if (isOver && !waited.isStale) await enterTurn();
        // what another relay told anybody before this page asked is never news to the page later
        const mustRead = waited.isStale || (isOver && !store.isUpToDate(askedAt));
        if (mustRead) await waitedOrders.read(waited);
        if (isOver || isNews()) return;
        if (!waited.isStale) await page.sleep(Math.min(leftMs, askWhenDue(waited)));
      }
    } finally {
      page.leave();
      metrics.add('waiting_checkouts', -1);
    }
  };

  /** @returns how many orders were due, `limit` at most */
  const sweepStep = async (limit: number): Promise<number> => {
    const now = ledgerClock.now();
    const due = await ledger.leaseDueOrders(now, now + DUE_LEASE_MS, limit);
    // the sweep does not wait for the queries: a query that hangs must not delay the next sweep
    for (const order of due) {
      if (!isUnderWay(order.request_id)) swept.add(order.request_id);
      inBackground(queryDue(order), order);
    }
    return due.length;
  };

  return {
    query,
    inBudget,
    queryNow: (order, trace) => query(order, 'urgent', trace),
    check: async (found, ms, urgency = 'asked', trace) => {
      const { order } = found;
      const now = ledgerClock.now();
      if (isBeingSent(order, now) || order.sending === 'unsent' || breaker.isOpen()) return found;
      const isUrgent = urgency === 'urgent';
      if (!isUrgent && wasJustChecked(order, now)) return found;
      const isCrowded = !isUrgent && queued() > perSecond();
      const answer = query(order, urgency, trace);
      inBackground(answer, order);
      const timeout = new AbortController();
      // when many wait, the slot comes too late for any caller
      const known = clock.sleep(isCrowded ? 0 : ms, timeout.signal).then(() => found);
      // when the ledger cannot be written, the caller still gets what is known
      return Promise.race([answer.catch(() => found), known]).finally(() => timeout.abort());
    },
    remembered: (requestId, page) => {
      const waited = waitedOrders.get(requestId);
      return waited && !isNewTo(page, waited) ? waited : null;
    },
    remember: (found, readAtChange) =>
      waitedOrders.keep(found, store.changeCount() !== readAtChange),
    // not async, here and in `sleep`: each waiting page would keep one more call
    wait: (waited, page, seconds, onGone) => {
      if (isNewTo(page, waited)) return Promise.resolve();
      const { version } = waited.shown;
      // not at once: a page that knows it would ask without a pause
      const longestMs = mayShowCode(page, waited) ? MAX_UNSAID_MS : Infinity;
      const until = clock.elapsed() + evenEnd(Math.min(seconds * 1000, longestMs));
      return hold(waited, () => waited.shown.version !== version, until, onGone);
    },
    sweep: async (limit) => {
      waitedOrders.forgetOld();
      for (const requestId of swept) if (!isQueued(requestId)) swept.delete(requestId);
      // Only orders that the sweep itself queued stop it. Waiting pages may fill the queue all the
      // time, and the relay would then never ask about orders whose customers left their pages.
      if (breaker.isOpen() || swept.size > limit) return;
      for (let left = limit; left > 0; left -= MAX_ORDERS_PER_STEP) {
        const atMost = Math.min(left, MAX_ORDERS_PER_STEP);
        if ((await sweepStep(atMost)) < atMost) return;
        await nextTurn();
      }
    },
    queued,
    drain: (next) => {
      draining = true;
      drainQueries(next);
      for (const wake of wakers) wake();
    },
  };
}

/** A check that lies in the future was made before the clock stepped back, and does not count. */
function wasJustChecked({ checked_at }: OrderRow, now: number): boolean {
  if (checked_at === null) return false;
  const ageMs = now - checked_at;
  return ageMs >= 0 && ageMs < MIN_QUERY_INTERVAL_MS;
}

/**
 * Whether the page must not wait, because it does not have the order as it is. One that names no
 * version is told at once what its status cannot say: that another order is paid, or that nothing
 * of this one was sent.
 */
function isNewTo({ known_status, known_version }: PageState, { shown }: WaitedOrder): boolean {
  if (known_version !== undefined) return shown.version !== known_version;
  const { outcome, paid_by, status } = shown;
  const isUnsaid = paid_by !== undefined || (outcome === 'failed' && status === null);
  return isUnsaid || (known_status !== undefined && known_status !== status);
}

/**
 * Whether a page that names no version may show a code that must not be paid any more, because the
 * intent is closed or the order was replaced.
 */
const mayShowCode = ({ known_version }: PageState, { shown }: WaitedOrder): boolean =>
  known_version === undefined && (shown.closed || shown.replaced === true);
