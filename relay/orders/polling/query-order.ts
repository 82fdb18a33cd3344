/**
 * Queries an order when it gets a slot, once for all callers, and carries out what the answer
 * requires.
 *
 * A webhook signal causes a query at once. Signals cause at most one query per order and second,
 * because a flood of signals for one order must not use up the slots of other orders.
 */
import type { Trace } from '../../contract/trace.js';
import type { OrderInIntent } from '../../ledger/intent.js';
import type { OrderRow } from '../../ledger/rows.js';
import { queryAndCarryOut } from '../carry-out.js';
import type { Context } from '../context.js';
import { claimMs, readOrder, type OrderStore } from '../order-store.js';
import { createHeadroom, type TokenBucket } from './budget.js';
import { createQueryQueue, type Urgency } from './query-queue.js';
import { interval } from './schedule.js';

/** Least time between two queries of one order that callers or signals cause. */
export const MIN_QUERY_INTERVAL_MS = 1000;
/**
 * Queries use at most this part of the connections to the service. If they used all while the
 * service is slow, no customer could pay.
 */
const PART_OF_CONNECTIONS = 0.75;
/** Pause before a page asks again about an order that another relay asks about. */
export const RECHECK_MS = 500;
/** A scheduled query may come when this part of its interval has passed. */
const EARLIEST_PART_OF_INTERVAL = 0.8;

/** What a queued query keeps of its order: there may be thousands, and rows are too large. */
type QueriedOrder = Pick<OrderRow, 'request_id' | 'created_at' | 'aged_from'>;
/** What the query of a due order needs to know of it. */
export type DueOrder = QueriedOrder & Pick<OrderRow, 'intent_id' | 'sending' | 'version'>;

/** One query that is in the queue or was sent to the service. */
type QueryUnderWay = {
  readonly answer: Promise<OrderInIntent>;
  raise(urgency: Urgency): void;
  isSent: boolean;
  /** A second query, for a signal that came after the first was sent. */
  again: Promise<OrderInIntent> | null;
};

export type InBudget = <T>(
  order: Pick<OrderRow, 'created_at'>,
  send: () => Promise<T>,
) => Promise<T>;

export type QueryOrder = {
  /**
   * Queries an order when it gets a slot. While the breaker is open, only reads the ledger.
   *
   * @param trace of the request that causes the query; a caller that joins another's query has none
   */
  query(order: QueriedOrder, urgency: Urgency, trace?: Trace): Promise<OrderInIntent>;
  /** Queries an order that is due. A claim that has ended is recorded as lost first. */
  queryDue(order: DueOrder): Promise<unknown>;
  isUnderWay(requestId: string): boolean;
  /** Whether the order waits for a slot: its query is under way and was not sent yet. */
  isQueued(requestId: string): boolean;
  /** The number of orders that wait for a slot. */
  queued(): number;
  /** Sends a query of a person, outside the schedule, when the budget has a slot for it. */
  inBudget: InBudget;
  /**
   * From now on a query that was not sent is handed over to the relay's next configuration. When
   * the relay stops there is none: only urgent queries are then sent, and whoever waits for another
   * gets what is known.
   */
  drain(next?: QueryOrder['query']): void;
};

/**
 * @param perSecond this relay's share of the budget of queries
 * @param slots the slots of that share, which several configurations may use
 */
export function createQueryOrder(
  context: Context,
  store: OrderStore,
  perSecond: () => number,
  slots: TokenBucket,
): QueryOrder {
  const { breaker, busy, clock, config, ledger, ledgerClock, signalCounts } = context;
  const atOnce = Math.max(1, Math.floor(PART_OF_CONNECTIONS * config.service.connections));
  const underWay = new Map<string, QueryUnderWay>();
  /**
   * When each order's last urgent query was sent, in elapsed time; entries older than a second are
   * dropped.
   */
  const urgentSentAt = new Map<string, number>();
  const scheduledPerSecond = createHeadroom({ busy, perSecond, elapsed: clock.elapsed });
  const queue = createQueryQueue({ perSecond, scheduledPerSecond, atOnce, slots }, clock);
  let draining = false;
  let next: QueryOrder['query'] | undefined;

  const query: QueryOrder['query'] = (order, urgency, trace) => {
    if (next) return next(order, urgency, trace);
    const present = underWay.get(order.request_id);
    if (present?.isSent && urgency === 'urgent') {
      // the answer to a query that was sent before the signal may be older than the change
      present.again ??= present.answer.then(({ order: latest }) => query(latest, urgency, trace));
      return present.again;
    }
    if (present) {
      present.raise(urgency);
      return present.answer;
    }
    if (breaker.isOpen()) return readOrder(ledger, order.request_id);
    return urgency === 'urgent' ? queryUrgently(order, trace) : enqueue(order, urgency, trace);
  };

  const queryUrgently = (order: QueriedOrder, trace?: Trace): Promise<OrderInIntent> => {
    const sentAt = urgentSentAt.get(order.request_id) ?? -Infinity;
    const pauseMs = sentAt + MIN_QUERY_INTERVAL_MS - clock.elapsed();
    if (pauseMs <= 0) return enqueue(order, 'urgent', trace);
    const answer = clock.sleep(pauseMs).then(() => {
      underWay.delete(order.request_id);
      return query(order, 'urgent', trace);
    });
    underWay.set(order.request_id, { answer, raise: () => {}, isSent: false, again: null });
    return answer;
  };

  const enqueue: QueryOrder['query'] = (order, urgency, trace) => {
    const { created_at, request_id } = order;
    const slot = queue.querySlot(created_at, urgency);
    /** Tries again when a more urgent caller has joined during the claim. */
    const claim = async (): Promise<OrderInIntent | null> => {
      const claimedAs = slot.urgency();
      const intervalMs = minIntervalMs(order, claimedAs);
      const signals = signalCounts.take(request_id);
      const now = ledgerClock.now();
      const claimed = await ledger.claimQuerySlot(request_id, now, intervalMs, signals);
      if (claimed === null && signals) signalCounts.add(request_id, signals);
      return claimed === null && slot.urgency() !== claimedAs ? claim() : claimed;
    };
    const ask = async (): Promise<OrderInIntent> => {
      await slot.ready;
      if (draining && (next || slot.urgency() !== 'urgent')) {
        slot.end(false);
        return next ? next(order, slot.urgency(), trace) : readOrder(ledger, request_id);
      }
      try {
        const claimed = await claim();
        if (!claimed) return await readAsked(request_id);
        entry.isSent = true;
        if (slot.urgency() === 'urgent') recordUrgent(request_id);
        const isScheduled = (): boolean => slot.urgency() === 'scheduled';
        return await queryAndCarryOut(context, store, claimed, isScheduled, trace);
      } finally {
        slot.end(entry.isSent);
      }
    };
    const answer = ask().finally(() => underWay.delete(request_id));
    const entry: QueryUnderWay = { answer, raise: slot.raise, isSent: false, again: null };
    underWay.set(request_id, entry);
    return answer;
  };

  /** For an order that another relay has asked about within the interval. */
  const readAsked = async (requestId: string): Promise<OrderInIntent> => {
    const found = await readOrder(ledger, requestId);
    const { intent_id, next_check_at: at } = found.order;
    const soonest = ledgerClock.now() + RECHECK_MS;
    // the answer may still be under way, and nothing tells of one that says nothing new
    const next_check_at = at === null ? null : Math.max(at, soonest);
    store.announceSchedule({ intent_id, request_id: requestId, next_check_at });
    return found;
  };

  const recordUrgent = (requestId: string): void => {
    const now = clock.elapsed();
    // deleted first: a map keeps the order of insertion, so the oldest entries come first
    urgentSentAt.delete(requestId);
    urgentSentAt.set(requestId, now);
    for (const [id, sentAt] of urgentSentAt) {
      if (now - sentAt < MIN_QUERY_INTERVAL_MS) break;
      urgentSentAt.delete(id);
    }
  };

  /** The least time between this query and the last one of any relay. */
  const minIntervalMs = (order: QueriedOrder, urgency: Urgency): number => {
    if (urgency === 'urgent') return 0;
    if (urgency === 'asked') return MIN_QUERY_INTERVAL_MS;
    return EARLIEST_PART_OF_INTERVAL * interval(ledgerClock.ageOf(order));
  };

  async function queryDue(order: DueOrder): Promise<unknown> {
    if (breaker.isOpen()) return;
    if (order.sending !== 'claimed') return query(order, 'scheduled');
    // after a step of the clock a claim ends only when the clock has run for a claim's time since
    if (ledgerClock.steadyMs() < claimMs(context)) return;
    const event = { type: 'pay_lost', at: ledgerClock.now(), claim: order.version } as const;
    // the effect `query_now` of this event is not used: the query below first waits for a slot
    return query((await store.apply(order, event)).order, 'urgent');
  }

  return {
    query,
    queryDue,
    isUnderWay: (requestId) => underWay.has(requestId),
    isQueued: (requestId) => underWay.get(requestId)?.isSent === false,
    queued: () => queue.waiting(),
    inBudget: async ({ created_at }, send) => {
      const slot = queue.querySlot(created_at, 'asked');
      await slot.ready;
      return send().finally(() => slot.end(true));
    },
    drain: (handedTo) => {
      draining = true;
      next = handedTo;
    },
  };
}
