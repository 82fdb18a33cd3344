/** Applies events to the orders of the ledger, and calls those who wait for a change. */
import { MAX_TIMEOUT_MS } from '../config/schema.js';
import type { Ledger, SeenChange } from '../ledger/ledger.js';
import { orderOf, type Intent, type OrderInIntent, type Rule } from '../ledger/intent.js';
import type { OrderRow, ResolutionRow } from '../ledger/rows.js';
import { positionIn, recorded, withEvents } from '../ledger/rules.js';
import { payBackReason } from '../ledger/shown-order.js';
import { traceField, traceOf, type Trace } from '../contract/trace.js';
import { noHints, type Hints } from '../runtime.js';
import type { Context } from './context.js';
import type { OrderEvent, Rules, Transition } from './order-event.js';
import { transition } from './order-state.js';
import { isAnotherOrder } from './read-answer.js';
import { isNewReview, isReviewEnded, shopEventsFor } from '../webhooks/shop-event.js';

/**
 * What a listener learns without reading the ledger: an intent as this relay wrote it, the version
 * that any relay wrote, that this relay closed the intent, or when an order is due that nothing
 * else changed of.
 */
export type Change =
  | { readonly type: 'written'; readonly intent: Intent }
  | ({ readonly type: 'scheduled' } & Pick<OrderRow, 'request_id' | 'next_check_at'>)
  | ({ readonly type: 'seen' } & SeenChange)
  | { readonly type: 'closed' };
type Listener = (change: Change) => void;

/** The order and its intent as written, and the effects that their writer must carry out. */
export type Written = Transition & { readonly intent: Intent };

type ApplyAlso = {
  /** The intent as this caller read it, which makes the write cheaper. */
  readonly known?: Intent;
  /** Written together with the order, when the event ends a review. */
  readonly resolution?: ResolutionRow;
  /** Nobody asked for the query, so an answer that says nothing new moves only the schedule. */
  readonly isScheduled?: boolean;
  /** Of the request that causes the change. */
  readonly trace?: Trace | undefined;
};

export type OrderStore = {
  /**
   * Applies one event.
   *
   * @throws Error when the ledger has no such order
   */
  apply(
    order: Pick<OrderRow, 'intent_id' | 'request_id'>,
    event: OrderEvent,
    also?: ApplyAlso,
  ): Promise<Written>;
  /**
   * Calls `listener` when any relay changed an order of the intent. A write of this relay calls the
   * listener twice: at once, and by `pollChanges`.
   *
   * @returns a function that ends the subscription
   */
  onChange(intentId: string, listener: Listener): () => void;
  /**
   * Number of changes so far. While this number stays the same, an order that was read is up to
   * date.
   */
  changeCount(): number;
  /** Calls the listeners of an intent that this relay closed. */
  announce(intentId: string): void;
  /** Calls the listeners of an order whose next check is another than they know. */
  announceSchedule(order: Pick<OrderRow, 'intent_id' | 'next_check_at' | 'request_id'>): void;
  /** Reads from the ledger what other relays changed, and calls the listeners. */
  pollChanges(): Promise<void>;
  /**
   * Whether the listeners know all that any relay wrote up to a few seconds ago, and up to `at`.
   *
   * @param at in the aging time of the ledger's clock
   */
  isUpToDate(at?: number): boolean;
};

/** A customer sees a change that another relay wrote at most this late. */
const MAX_BEHIND_MS = 5000;

/** A claim lasts this much longer than its request, so that no claim ends during its request. */
const CLAIM_GRACE_MS = 4000;

/** How long a claim lasts. */
export const claimMs = ({ config }: Pick<Context, 'config'>): number =>
  config.service.timeout_ms + CLAIM_GRACE_MS;

/** Another relay's configuration may let a claim last so long. */
export const LONGEST_CLAIM_MS = MAX_TIMEOUT_MS + CLAIM_GRACE_MS;

/** An order without what every answer changes. One that was answered while lost is not resent. */
const describe = (order: OrderRow): string => {
  const checked_at = order.sending !== 'answered' && order.checked_at !== null;
  return JSON.stringify({ ...order, checked_at, next_check_at: null, version: null });
};

const missing = (requestId: string): Error => new Error(`the ledger has no order ${requestId}`);

/** @throws Error when the ledger has no such order: callers pass a request_id of the ledger */
export async function readOrder(
  ledger: Pick<Ledger, 'find'>,
  requestId: string,
): Promise<OrderInIntent> {
  const found = await ledger.find(requestId);
  if (!found) throw missing(requestId);
  return found;
}

/** The part of the context that a store needs; the command line has no other part. */
export type StoreContext = Pick<Context, 'config' | 'ledger' | 'log' | 'metrics' | 'ledgerClock'>;

/**
 * The status that the service named for this order. An answer about another order, and one that is
 * too old to count, name none.
 */
function statusNamed(before: OrderRow, after: OrderRow, event: OrderEvent): number | undefined {
  if (!('answer' in event) || after.checked_at !== event.at) return undefined;
  return isAnotherOrder(before, event.answer) ? undefined : event.answer.status;
}

/** @param hints tells other relays of changes that a customer may wait for */
export function createOrderStore(
  context: StoreContext,
  hints: Pick<Hints, 'send'> = noHints,
): OrderStore {
  const { config, ledger, log, metrics, ledgerClock } = context;
  /** Kept by intent: a payment of one order also ends the waits for its intent's other orders. */
  const listeners = new Map<string, Set<Listener>>();
  let cursor: string | null = null;
  /** All changes up to this time are known; by the aging time, which no step moves. */
  let knownUntil = -Infinity;
  /** The last change that was begun at a time. Some before it may not have ended then. */
  let begun = { position: 0, at: -Infinity };
  let changeCount = 0;
  const notify = (intentId: string, change: Change): void => {
    if (change.type !== 'scheduled') changeCount++;
    for (const listener of listeners.get(intentId) ?? []) listener(change);
  };
  const rules: Rules = {
    statuses: config.statuses,
    links: config.links,
    codes: new Map(config.options.map(({ code, id }) => [id, code])),
    requireEcho: config.service.require_echo,
    resendAfterS: config.service.resend_after_s,
    followDays: config.limits.follow_days,
    claimMs: claimMs(context),
  };

  /** @returns null when the answer says something new, or when the intent was written meanwhile */
  const postpone = async (
    known: Intent,
    requestId: string,
    event: OrderEvent,
  ): Promise<Written | null> => {
    const before = orderOf(known, requestId);
    if (!before) return null;
    const ageMs = ledgerClock.ageOf(before);
    const { effects, order: after } = transition(before, { ...event, ageMs }, rules);
    const { next_check_at: until } = after;
    const isDueFirst = known.orders.every(({ next_check_at: at, request_id }) => {
      return request_id === requestId || at === null || (until !== null && at > until);
    });
    const isNews = effects.length > 0 || describe(after) !== describe(before);
    if (until === null || isNews || !isDueFirst) return null;
    if (!(await ledger.postpone(known, until, event.at))) return null;
    const order = { ...before, next_check_at: until };
    announceSchedule(order);
    return { intent: known, order, effects };
  };

  const announceSchedule: OrderStore['announceSchedule'] = ({
    intent_id,
    next_check_at,
    request_id,
  }) => notify(intent_id, { type: 'scheduled', request_id, next_check_at });

  const apply: OrderStore['apply'] = async (order, event, also = {}) => {
    const { intent_id, request_id } = order;
    const { isScheduled = false, known, resolution, trace } = also;
    const postponed = isScheduled && known ? await postpone(known, request_id, event) : null;
    if (postponed) return postponed;
    /** The last try is the one that was written. */
    const tries: (Transition & { before: OrderRow })[] = [];
    const rule: Rule = (intent, epoch) => {
      const before = orderOf(intent, request_id);
      if (!intent || !before) throw missing(request_id);
      const after = transition(before, { ...event, ageMs: ledgerClock.ageOf(before) }, rules);
      tries.push({ ...after, before });
      const isResolved = isReviewEnded(before, after.order);
      const happened = { at: event.at, status: statusNamed(before, after.order, event) };
      const next = recorded(intent, after.order, happened, isResolved ? resolution : undefined);
      const change = { before, after: after.order, at: event.at, trace };
      return withEvents(next, shopEventsFor(config, change, next, positionIn(next, epoch)));
    };
    const { intent } = await ledger.change(intent_id, rule, { known });
    const last = tries.at(-1);
    if (!intent || !last) throw missing(request_id);
    // first: the change is written, and whoever waits for it must learn of it in any case
    notify(intent_id, { type: 'written', intent });
    await report(last.before, { intent, order: last.order }, event, trace);
    return { order: orderOf(intent, request_id) ?? last.order, effects: last.effects, intent };
  };

  return {
    apply,
    onChange: (intentId, listener) => {
      const ofIntent = listeners.get(intentId) ?? new Set();
      listeners.set(intentId, ofIntent.add(listener));
      return () => {
        ofIntent.delete(listener);
        if (ofIntent.size === 0) listeners.delete(intentId);
      };
    },
    changeCount: () => changeCount,
    announce: (intentId) => {
      hints.send();
      notify(intentId, { type: 'closed' });
    },
    announceSchedule,
    isUpToDate: (at = -Infinity) =>
      knownUntil > Math.max(at, ledgerClock.agingNow() - MAX_BEHIND_MS),
    pollChanges: async () => {
      const at = ledgerClock.agingNow();
      const found = await ledger.changes(cursor);
      cursor = found.cursor;
      if (Number(cursor) >= begun.position) {
        knownUntil = begun.at;
        begun = { position: found.last, at };
      }
      for (const change of found.changed) notify(change.intent_id, { type: 'seen', ...change });
    },
  };

  async function report(
    before: OrderRow,
    { intent, order }: OrderInIntent,
    event: OrderEvent,
    trace: Trace | undefined,
  ): Promise<void> {
    const { intent_id, outcome, option, request_id, review_reason, status } = order;
    const named = { intent_id, request_id, ...traceField(trace ?? traceOf(order.traceparent)) };
    const isReview = isNewReview(before, order);
    const isSame = outcome === before.outcome && status === before.status;
    if (isSame && !isReview && !isReviewEnded(before, order)) return;
    hints.send();
    if (before.order_no !== null && order.order_no !== before.order_no)
      log('warn', 'order', { ...named, message: 'the service gives it another order_no' });
    const level = isReview ? 'warn' : 'info';
    // the line of the pay names the order
    if (event.type !== 'pay_answered' || outcome !== 'pending')
      log(level, 'order', { ...named, change: event.type, outcome, status, review_reason });
    if (outcome !== before.outcome) {
      metrics.add('orders', 1, { option, outcome });
      const reason = payBackReason(config, { intent, order });
      if (reason !== null) metrics.add('pay_backs', 1, { option, reason });
    }
    if (isReview && review_reason !== null)
      metrics.add('reviews', 1, { option, reason: review_reason });
    if (outcome !== 'unmapped') return;
    // logged once per status value: the ledger keeps the first order that had it
    const first = await ledger
      .keepSetting(`status ${status}`, request_id)
      .catch((error: unknown) => log('error', 'order', { ...named, status, error: String(error) }));
    if (first !== request_id) return;
    log('warn', 'unmapped_status', { ...named, status });
    metrics.add('unmapped_statuses', 1, { status: String(status) });
  }
}
