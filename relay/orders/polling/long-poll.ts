/** Follow: whoever waits for an order, and the sweep for those that nobody waits for. */
import type { OrderRow } from '../../ledger/rows.js';
import type { Context } from '../context.js';
import { readOrder, type OrderStore } from '../order-store.js';
import { createQueryOrder, MIN_QUERY_INTERVAL_MS } from './query-order.js';

/** How long a due order is kept from the other relays; taken anew while it is still queued. */
const DUE_LEASE_MS = 10_000;
/** How soon a waiting request looks again at an order that is another relay's to ask about. */
const LOOK_AGAIN_MS = 500;
/**
 * Above so many waiting requests their ends are spread, by up to this part of the wait: after a
 * restart all come back at once.
 */
const SPREAD_ABOVE_WAITERS = 200;
const SPREAD_PART = 0.4;
/** Multiples of it, without their whole part, fall evenly between 0 and 1. */
const GOLDEN_RATIO_PART = 0.618033988749895;

export type LongPoll = {
  /**
   * Asks the service unless it was asked within the last second; what is known after `ms`, if the
   * answer takes longer.
   */
  check(order: OrderRow, ms: number): Promise<OrderRow>;
  /** Asks the service even so: after a lost answer, and at a signal of the service. */
  queryNow(order: OrderRow): Promise<OrderRow>;
  /**
   * The order once its status differs from `knownStatus`, or after `seconds`, whichever is first.
   */
  wait(
    order: OrderRow,
    knownStatus: number | null,
    seconds: number,
    signal: AbortSignal,
  ): Promise<OrderRow>;
  /** Queues orders whose check is due, whether somebody waits or not. */
  sweep(limit: number): Promise<void>;
  /** Orders whose turn to be asked about has not come. */
  queued(): number;
  /** Whoever waits gets what is known, now and from now on. */
  drain(): void;
};

/** @param perSecond queries that fall to this relay */
export function createLongPoll(
  context: Context,
  store: OrderStore,
  perSecond: () => number,
): LongPoll {
  const { breaker, clock, ledger, log, metrics, time } = context;
  const { isUnderWay, query, queryDue, queued } = createQueryOrder(context, store, perSecond);
  const waiting = new Set<() => void>();
  let draining = false;
  let waits = 0;

  const spread = (ms: number): number =>
    waiting.size < SPREAD_ABOVE_WAITERS
      ? ms
      : ms * (1 - SPREAD_PART * ((++waits * GOLDEN_RATIO_PART) % 1));

  /**
   * A sleep that a change of the order, the request's end or a drain cuts short. A change between
   * two sleeps cuts the next one.
   */
  const subscribe = (
    intentId: string,
    gone: AbortSignal,
  ): { sleep(ms: number): Promise<void>; stop(): void } => {
    let changed = false;
    let rest: AbortController | null = null;
    const end = (): void => {
      changed = true;
      // a reason of its own: without one each abort makes an exception with its stack
      rest?.abort('changed');
    };
    const stop = store.onChange(intentId, end);
    waiting.add(end);
    gone.addEventListener('abort', end, { once: true });
    return {
      sleep: async (ms) => {
        rest = new AbortController();
        if (!changed) await clock.sleep(ms, rest.signal);
        rest = null;
        changed = false;
      },
      stop: () => {
        gone.removeEventListener('abort', end);
        waiting.delete(end);
        stop();
      },
    };
  };

  const inBackground = (work: Promise<unknown>, requestId: string): void =>
    void work.catch((error: unknown) =>
      log('error', 'query', { request_id: requestId, error: String(error) }),
    );

  return {
    queryNow: (order) => query(order, 'urgent'),
    check: async (order, ms) => {
      if (order.sending === 'claimed' || order.sending === 'unsent' || breaker.isOpen())
        return order;
      if (wasJustChecked(order, time.now())) return order;
      // in a crowd the turn comes later than anybody waits
      if (queued() > perSecond()) ms = 0;
      const asking = query(order, 'asked');
      inBackground(asking, order.request_id);
      const rest = new AbortController();
      const late = clock.sleep(ms, rest.signal).then(() => order);
      // a ledger that cannot be written still tells what it knows
      return Promise.race([asking.catch(() => order), late]).finally(() => rest.abort());
    },
    wait: async ({ intent_id, outcome, request_id }, knownStatus, seconds, gone) => {
      const until = clock.elapsed() + spread(seconds * 1000);
      const subscription = subscribe(intent_id, gone);
      metrics.add('waiting_checkouts', 1);
      const checkOrder = async (): Promise<OrderCheck> => {
        const latest = await readOrder(ledger, request_id);
        const left = until - clock.elapsed();
        const ended = latest.outcome !== outcome || latest.sending === 'unsent';
        const changed = latest.status !== knownStatus || ended;
        if (changed || (await store.paidBy(latest)) !== null) return { tell: latest };
        if (left <= 0 || gone.aborted || draining) return { tell: latest };
        const dueIn = (latest.next_check_at ?? Infinity) - time.now();
        if (dueIn > 0) return { sleepMs: Math.min(left, dueIn) };
        inBackground(queryDue(latest), request_id);
        return { sleepMs: isUnderWay(request_id) ? left : Math.min(left, LOOK_AGAIN_MS) };
      };
      try {
        // no row is kept over a sleep: thousands may wait
        for (;;) {
          const look = await checkOrder();
          if ('tell' in look) return look.tell;
          await subscription.sleep(look.sleepMs);
        }
      } finally {
        subscription.stop();
        metrics.add('waiting_checkouts', -1);
      }
    },
    sweep: async (limit) => {
      // what is leased waits in the queue: one query that hangs does not hold up the next sweep
      if (breaker.isOpen() || queued() > limit) return;
      const now = time.now();
      for (const order of await ledger.leaseDueOrders(now, now + DUE_LEASE_MS, limit))
        inBackground(queryDue(order), order.request_id);
    },
    queued,
    drain: () => {
      draining = true;
      for (const end of waiting) end();
    },
  };
}

/** What a look at an order says: tell the customer, or sleep for so many milliseconds. */
type OrderCheck = { tell: OrderRow } | { sleepMs: number };

/** A check in the future was made before the clock stepped back: it says nothing. */
function wasJustChecked({ checked_at }: OrderRow, now: number): boolean {
  if (checked_at === null) return false;
  const age = now - checked_at;
  return age >= 0 && age < MIN_QUERY_INTERVAL_MS;
}
