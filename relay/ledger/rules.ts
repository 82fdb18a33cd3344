/**
 * The changes of an intent, pure: an intent and a request give the changed intent and its events. A
 * ledger reads the intent, applies one of these, and writes the result unless another writer was
 * faster.
 */
import type { Config } from '../config/schema.js';
import { bounded, historyAfter, MAX_FACTS_WHEN_REPLACED, type Happened } from './history.js';
import { isOver, orderOf, type Intent, type IntentChange, type Rule } from './intent.js';
import type { LongestWaits } from './ledger.js';
import type { EventPosition, IntentRow, NewShopEvent, OrderRow, ResolutionRow } from './rows.js';
import type { UnpaidDecision } from './shop-ledger.js';
import { isPaidAfterRefusal, paidInReview, staysReplaced } from './shown-order.js';

/** An order to claim. `after`: the order that it replaces; null when the intent has none. */
export type Claim = {
  /** Stored unless its id is known. */
  readonly intent: IntentRow;
  readonly order: OrderRow;
  readonly after: string | null;
};

/**
 * Makes an order the current order, if the current order is still `after`.
 *
 * @param at when it is claimed
 */
export const claiming =
  ({ after, intent: opened, order }: Claim, at: number): Rule =>
  (known) => {
    const intent = known ?? asNew(opened);
    const isSame = intent.content === opened.content && intent.current_request_id === after;
    if (!isSame || !takesOrders(intent)) return null;
    return {
      intent: withOrder({ ...intent, current_request_id: order.request_id }, order, { at }),
    };
  };

/** Claims the current order again, if it is still the unsent or lost one that the caller knows. */
export const reclaiming =
  (known: OrderRow) =>
  (order: OrderRow, at: number): Rule =>
  (intent) =>
    intent && isStill(known, intent) && takesOrders(intent) && isCurrent(intent, order)
      ? { intent: withOrder(intent, order, { at }) }
      : null;

/**
 * Adds an order that a restored ledger lost; the current order stays.
 *
 * @param at when the service was found to know it
 */
export const addingLost =
  (order: OrderRow, at: number, closed?: IntentRow): Rule =>
  (known) => {
    const intent = known ?? (closed && asNew(closed));
    if (!intent || orderOf(intent, order.request_id)) return null;
    return { intent: withOrder(intent, order, { at }) };
  };

/** Writes an order over the one that the caller knows. */
export const replacing =
  (known: OrderRow) =>
  (order: OrderRow, at: number): Rule =>
  (intent) =>
    intent && isStill(known, intent) ? { intent: recorded(intent, order, { at }) } : null;

/**
 * The intent with an order as it became, with its first payment, and the end of a review. Nothing
 * is delivered for a payment that a person had resolved as failed, so the next good payment takes
 * its place: the shop would otherwise refund that one too. One that was told as a duplicate before
 * takes no place, because the shop has refunded it.
 */
export function recorded(
  intent: Intent,
  order: OrderRow,
  happened: Happened,
  resolution?: ResolutionRow,
): Intent {
  const paidBy = order.outcome === 'succeeded' ? order.request_id : null;
  const first = orderOf(intent, intent.paid_request_id ?? '');
  const takesPlace =
    paidBy !== null &&
    first !== null &&
    isPaidAfterRefusal(first) &&
    !isPaidAfterRefusal(order) &&
    orderOf(intent, order.request_id)?.outcome !== 'succeeded';
  const paid_request_id = takesPlace ? paidBy : (intent.paid_request_id ?? paidBy);
  const resolutions = resolution ? [...intent.resolutions, resolution] : intent.resolutions;
  return withOrder({ ...intent, paid_request_id, resolutions }, order, happened);
}

/** `by`: the person who closes; absent when the shop's backend does. */
type Close = { at: number; reason: string | null; by?: string | null };

/** @param newRow stored if the ledger does not have the intent, so that no token opens it later */
export const closing =
  (newRow: IntentRow, { at, by = null, reason }: Close): Rule =>
  (known) => {
    const intent = known ?? asNew(newRow);
    if (!takesOrders(intent)) return null;
    const closed = { closed_at: at, close_reason: reason, closed_by: by };
    return { intent: { ...intent, ...closed, unpaid_due_at: null } };
  };

/** While a person decides about a payment, the customer has probably paid, and would pay twice. */
export const unlessInReview =
  (config: Pick<Config, 'statuses'>, rule: Rule): Rule =>
  (intent, epoch) =>
    intent && paidInReview(config, intent) ? null : rule(intent, epoch);

/** Stands where a customer's data stood. */
export const ERASED = 'erased';

/**
 * Takes the customer's data out of an intent. Its digest stays, and an unpaid intent is closed, so
 * that an old token opens nothing anew.
 */
export const erasing =
  ({ at, by }: { at: number; by: string }): Rule =>
  (intent) => {
    if (!intent || intent.erased_at !== null || !isOver(intent)) return null;
    const orders = intent.orders.map((order) => ({ ...order, next_action: null }));
    const resolutions = intent.resolutions.map((each) => ({ ...each, note: ERASED }));
    const isOpen = takesOrders(intent);
    return {
      intent: {
        ...intent,
        orders,
        resolutions,
        customer_ref_id: ERASED,
        product_name: ERASED,
        sku: null,
        close_reason: intent.close_reason && ERASED,
        remark: null,
        metadata: null,
        return_url: null,
        unpaid_due_at: null,
        ...(isOpen && { closed_at: at, close_reason: ERASED, closed_by: by }),
        erased_at: at,
        erased_by: by,
      },
    };
  };

export const settlingUnpaid =
  (now: number, decide: (intent: Intent, at: EventPosition) => UnpaidDecision): Rule =>
  (intent, epoch) => {
    if (!intent || !isUnpaidDue(intent, now)) return null;
    const decision = decide(intent, positionIn(intent, epoch));
    const settled = { ...intent, unpaid_due_at: null };
    if (decision === 'drop') return { intent: settled };
    if ('postponeTo' in decision)
      return { intent: { ...intent, unpaid_due_at: decision.postponeTo } };
    return withEvents(settled, decision);
  };

/**
 * Repairs schedules that lie in the future because the clock stepped back. A claim that would wait
 * longer than a claim lasts waits for that long; only a check later than any schedule would set it
 * reveals a lease of the future.
 */
export const repairing =
  (
    now: number,
    { checkMs, claimMs }: Pick<LongestWaits, 'checkMs' | 'claimMs'>,
    asked: ReadonlyMap<string, number>,
  ): Rule =>
  (intent) => {
    if (!intent) return null;
    const orders = intent.orders.map((order) => {
      const { created_at, next_check_at: at, request_id, sending } = order;
      if (at === null || at <= now) return order;
      if (sending === 'claimed') return { ...order, next_check_at: Math.min(at, now + claimMs) };
      const isWrong = (asked.get(request_id) ?? created_at) > now || at > now + checkMs(order);
      return isWrong ? { ...order, next_check_at: now } : order;
    });
    const isSame = orders.every((order, index) => {
      return order.next_check_at === intent.orders[index]?.next_check_at;
    });
    return isSame ? null : { intent: { ...intent, orders } };
  };

export const isUnpaidDue = ({ unpaid_due_at }: IntentRow, now: number): boolean =>
  unpaid_due_at !== null && unpaid_due_at <= now;

export const asNew = (row: IntentRow): Intent => ({ ...row, orders: [], resolutions: [] });

const takesOrders = ({ closed_at, paid_request_id }: IntentRow): boolean =>
  paid_request_id === null && closed_at === null;

const isCurrent = ({ current_request_id }: IntentRow, { request_id }: OrderRow): boolean =>
  current_request_id === request_id;

/**
 * Whether nobody has written the order since the caller read it. The version alone does not say
 * so: the intent may have been purged and placed anew, and the versions of its orders begin again.
 */
const isStill = (known: OrderRow, intent: Intent): boolean => {
  const stored = orderOf(intent, known.request_id);
  return (
    stored?.version === known.version &&
    stored.created_at === known.created_at &&
    stored.sending === known.sending
  );
};

/**
 * Puts the order in the place of its ordinal, and adds to its history what changed. Every order
 * comes into its intent here; the history that the caller's order has does not count.
 */
function withOrder(intent: Intent, changed: OrderRow, happened: Happened): Intent {
  const before = orderOf(intent, changed.request_id);
  const order = { ...changed, history: historyAfter(before, changed, happened) };
  const others = intent.orders.filter(({ request_id }) => request_id !== order.request_id);
  const orders = [...others, order].sort((one, other) => one.ordinal - other.ordinal);
  return {
    ...intent,
    orders: orders.map((each) => (staysReplaced(each, orders) ? shortened(each) : each)),
  };
}

/**
 * An order that stays replaced, without its link or code, which no page shows again, and with fewer
 * facts: these are the longest fields, and an intent may have twenty orders. When it was paid needs
 * all of its facts (`paidAt`).
 */
const shortened = (order: OrderRow): OrderRow => ({
  ...order,
  next_action: null,
  history:
    order.outcome === 'succeeded' ? order.history : bounded(order.history, MAX_FACTS_WHEN_REPLACED),
});

export const positionIn = ({ event_count }: IntentRow, epoch: string): EventPosition => ({
  sequence: event_count + 1,
  epoch,
});

export const withEvents = (intent: Intent, events: readonly NewShopEvent[]): IntentChange => ({
  intent: { ...intent, event_count: intent.event_count + events.length },
  events,
});
