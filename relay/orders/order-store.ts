/**
 * Applies events to the orders of the ledger: read the order, make the transition, write it unless
 * another writer was faster, and call the listeners.
 */
import type { EventsFor, Ledger, OrderInIntent, SeenChange } from '../ledger/ledger.js';
import type { Intent } from '../ledger/intent.js';
import type { IntentRow, OrderRow, ResolutionRow } from '../ledger/rows.js';
import { noHints, type Hints } from '../runtime.js';
import type { Context } from './context.js';
import type { OrderEvent, Rules, Transition } from './order-event.js';
import { transition } from './order-state.js';
import { agesNow } from './polling/schedule.js';
import { shopEventsFor } from '../webhooks/shop-event.js';

/**
 * What a listener learns without reading the ledger: an order that this relay wrote, an order that
 * any relay wrote, or that this relay closed the intent.
 */
export type Change =
  | { readonly type: 'written'; readonly order: OrderRow }
  | ({ readonly type: 'seen' } & SeenChange)
  | { readonly type: 'closed' };
type Listener = (change: Change) => void;

/**
 * The order as written, and the effects that its writer must carry out. `intent`: with its current
 * order, payment and close as they were at the write; null when the write has no event for the
 * shop, and so read no intent.
 */
export type Written = Transition & { readonly intent: IntentRow | null };

export type OrderStore = {
  /**
   * Applies one event, and tries again when another writer was faster.
   *
   * @param resolution written together with the order, when the event ends a review
   */
  apply(requestId: string, event: OrderEvent, resolution?: ResolutionRow): Promise<Written>;
  /**
   * Does the same without reading the order first.
   *
   * @param known the order as this caller read or claimed it; it is read again when another writer
   *   was faster
   * @param intent as it was when the order was claimed, which makes the write cheaper
   */
  applyTo(known: OrderRow, event: OrderEvent, intent?: Intent | null): Promise<Written>;
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
  /** Reads from the ledger what other relays changed, and calls the listeners. */
  pollChanges(): Promise<void>;
};

/** A claim lasts this much longer than its request, so that no claim ends during its request. */
const CLAIM_GRACE_MS = 4000;

/** How long a claim lasts. */
export const claimMs = ({ config }: Pick<Context, 'config'>): number =>
  config.service.timeout_ms + CLAIM_GRACE_MS;

/** @throws Error when the ledger has no such order: callers pass a request_id of the ledger */
export async function readOrder(
  ledger: Pick<Ledger, 'order'>,
  requestId: string,
): Promise<OrderRow> {
  const order = await ledger.order(requestId);
  if (!order) throw new Error(`the ledger has no order ${requestId}`);
  return order;
}

/** @throws Error when the ledger has no such order */
export async function readInIntent(
  ledger: Pick<Ledger, 'orderInIntent'>,
  requestId: string,
): Promise<OrderInIntent> {
  const found = await ledger.orderInIntent(requestId);
  if (!found) throw new Error(`the ledger has no order ${requestId}`);
  return found;
}

/** The part of the context that a store needs; the command line has no other part. */
export type StoreContext = Pick<Context, 'config' | 'ledger' | 'log' | 'metrics' | 'time'>;

/** @param hints tells other relays of changes that a customer may wait for */
export function createOrderStore(
  context: StoreContext,
  hints: Pick<Hints, 'send'> = noHints,
): OrderStore {
  const { config, ledger, log, metrics, time } = context;
  /** Kept by intent: a payment of one order also ends the waits for its intent's other orders. */
  const listeners = new Map<string, Set<Listener>>();
  let cursor: string | null = null;
  let changeCount = 0;
  const notify = (intentId: string, change: Change): void => {
    changeCount++;
    for (const listener of listeners.get(intentId) ?? []) listener(change);
  };
  const rules: Rules = {
    statuses: config.statuses,
    links: config.links,
    requireEcho: config.service.require_echo,
    resendAfterS: config.service.resend_after_s,
    followDays: config.limits.follow_days,
    claimMs: claimMs(context),
  };

  const applyFrom = async (
    requestId: string,
    known: OrderRow | null,
    event: OrderEvent,
    { claimedIn, resolution }: { claimedIn?: Intent | null; resolution?: ResolutionRow } = {},
  ): Promise<Written> => {
    for (let next = known; ; next = null) {
      const before = next ?? (await readOrder(ledger, requestId));
      const after = transition(before, { ...agesNow(time), ...event }, rules);
      const eventsFor = shopEventsFor(config, { before, after: after.order, at: event.at });
      let intent: IntentRow | null = null;
      const eventsAndIntent: EventsFor = (read, position) => {
        intent = read;
        return eventsFor?.(read, position) ?? [];
      };
      const isResolved = after.order.resolved_as !== before.resolved_as;
      const written = await ledger.replaceOrder(after.order, eventsFor && eventsAndIntent, {
        before,
        resolution: isResolved ? resolution : undefined,
        // another writer was faster, so the intent may have changed too
        claimedIn: next && claimedIn,
      });
      if (!written) continue;
      await report(before, after.order, event);
      notify(after.order.intent_id, { type: 'written', order: after.order });
      return { ...after, intent };
    }
  };

  return {
    apply: (requestId, event, resolution) => applyFrom(requestId, null, event, { resolution }),
    applyTo: (known, event, intent) =>
      applyFrom(known.request_id, known, event, { claimedIn: intent }),
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
    pollChanges: async () => {
      const found = await ledger.changes(cursor);
      cursor = found.cursor;
      for (const change of found.changed) notify(change.intent_id, { type: 'seen', ...change });
    },
  };

  async function report(before: OrderRow, order: OrderRow, event: OrderEvent): Promise<void> {
    const { intent_id, outcome, option, request_id, review_reason, status } = order;
    const named = { intent_id, request_id };
    if (outcome === before.outcome && status === before.status) return;
    hints.send();
    if (before.order_no !== null && order.order_no !== before.order_no)
      log('warn', 'order', { ...named, message: 'the service gives it another order_no' });
    const level = outcome === 'review' ? 'warn' : 'info';
    log(level, 'order', { ...named, change: event.type, outcome, status, review_reason });
    if (outcome !== before.outcome) metrics.add('orders', 1, { option, outcome });
    if (outcome !== 'unmapped') return;
    // logged once per status value: the ledger keeps the first order that had it
    if ((await ledger.keepSetting(`status ${status}`, request_id)) !== request_id) return;
    log('warn', 'unmapped_status', { ...named, status });
    metrics.add('unmapped_statuses', 1, { status: String(status) });
  }
}
