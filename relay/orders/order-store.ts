/**
 * Carries an event into the ledger: read, transition, write if nobody was faster, tell listeners.
 */
import type { Ledger } from '../ledger/ledger.js';
import type { OrderRow, ResolutionRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import { transition, type OrderEvent, type Rules, type Transition } from './order-state.js';
import { shopEventsFor } from '../webhooks/shop-event.js';

export type OrderStore = {
  /** @returns the order as written, and the effects that fall to the writer */
  apply(requestId: string, event: OrderEvent, resolution?: ResolutionRow): Promise<Transition>;
  /** Calls at each change of an order of the intent, by any relay. @returns how to stop that */
  onChange(intentId: string, listener: () => void): () => void;
  /** The request_id of another order of the intent that was paid. */
  paidBy(order: OrderRow): Promise<string | null>;
  /** Asks the ledger what other relays wrote, and calls the listeners. */
  pollChanges(): Promise<void>;
};

/** Beyond the answer's deadline: a claim must outlive its own request. */
const CLAIM_GRACE_MS = 4000;

export const claimMs = ({ config }: Pick<Context, 'config'>): number =>
  config.service.timeout_ms + CLAIM_GRACE_MS;

/** @throws when there is none: whoever calls holds a request_id that the ledger gave */
export async function readOrder(
  ledger: Pick<Ledger, 'order'>,
  requestId: string,
): Promise<OrderRow> {
  const order = await ledger.order(requestId);
  if (!order) throw new Error(`the ledger has no order ${requestId}`);
  return order;
}

/** What a store needs; a command has no more. */
export type StoreContext = Pick<Context, 'config' | 'ledger' | 'log' | 'metrics' | 'time'>;

export function createOrderStore(context: StoreContext): OrderStore {
  const { config, ledger, log, metrics, time } = context;
  /** By intent: a payment of one order concerns those who wait for another one of it too. */
  const listeners = new Map<string, Set<() => void>>();
  let cursor: string | null = null;
  const notify = (intentId: string): void => {
    for (const listener of listeners.get(intentId) ?? []) listener();
  };
  const rules: Rules = {
    statuses: config.statuses,
    links: config.links,
    requireEcho: config.service.require_echo,
    resendAfterS: config.service.resend_after_s,
    followDays: config.limits.follow_days,
    claimMs: claimMs(context),
  };

  return {
    apply: async (requestId, event, resolution) => {
      for (;;) {
        const before = await readOrder(ledger, requestId);
        const after = transition(before, { ...event, ageAt: time.ageNow() }, rules);
        const eventsFor = shopEventsFor(config, { before, after: after.order, at: event.at });
        const isResolved = after.order.resolved_as !== before.resolved_as;
        const decided = isResolved ? resolution : undefined;
        if (!(await ledger.replaceOrder(after.order, eventsFor, decided))) continue;
        await report(before, after.order, event);
        notify(after.order.intent_id);
        return after;
      }
    },
    onChange: (intentId, listener) => {
      const ofIntent = listeners.get(intentId) ?? new Set();
      listeners.set(intentId, ofIntent.add(listener));
      return () => {
        ofIntent.delete(listener);
        if (ofIntent.size === 0) listeners.delete(intentId);
      };
    },
    paidBy: async ({ intent_id, request_id }) => {
      const paid = (await ledger.intent(intent_id))?.paid_request_id ?? null;
      return paid === request_id ? null : paid;
    },
    pollChanges: async () => {
      const found = await ledger.changes(cursor);
      cursor = found.cursor;
      for (const { intent_id } of found.changed) notify(intent_id);
    },
  };

  async function report(before: OrderRow, order: OrderRow, event: OrderEvent): Promise<void> {
    const { outcome, option, request_id, review_reason, status } = order;
    if (outcome === before.outcome && status === before.status) return;
    if (before.order_no !== null && order.order_no !== before.order_no)
      log('warn', 'order', { request_id, message: 'the service gives it another order_no' });
    const level = outcome === 'review' ? 'warn' : 'info';
    log(level, 'order', { request_id, event: event.type, outcome, status, review_reason });
    if (outcome !== before.outcome) metrics.add('orders', 1, { option, outcome });
    if (outcome !== 'unmapped') return;
    // once per value: the ledger keeps the first order that showed it
    if ((await ledger.keepSetting(`status ${status}`, request_id)) !== request_id) return;
    log('warn', 'unmapped_status', { status, request_id });
    metrics.add('unmapped_statuses', 1, { status: String(status) });
  }
}
