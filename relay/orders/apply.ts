/** Carries a fact into the ledger: read, step, write if nobody was faster, tell those who wait. */
import type { Ledger } from '../ledger/ledger.js';
import type { NewShopEvent, OrderRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import { step, type Fact, type Rules, type Work } from './order-flow.js';
import { shopEventTypes, writeShopEvent } from './shop-event.js';

export type Changes = {
  /** @returns the order as written, and the work that falls to the writer */
  apply(requestId: string, fact: Fact): Promise<{ order: OrderRow; work: readonly Work[] }>;
  /** Calls at each change of an order of the intent, by any relay. @returns how to stop that */
  onChange(intentId: string, heard: () => void): () => void;
  /** The request_id of another order of the intent that was paid. */
  paidBy(order: OrderRow): Promise<string | null>;
  /** Asks the ledger what other relays wrote, and wakes those who wait for it. */
  hear(): Promise<void>;
};

/** Beyond the answer's deadline: a claim must outlive its own request. */
const CLAIM_GRACE_MS = 4000;

export const claimMs = (context: Context): number =>
  context.config.service.timeout_ms + CLAIM_GRACE_MS;

/** @throws when there is none: whoever calls holds a request_id that the ledger gave */
export async function readOrder(ledger: Ledger, requestId: string): Promise<OrderRow> {
  const order = await ledger.order(requestId);
  if (!order) throw new Error(`the ledger has no order ${requestId}`);
  return order;
}

export function createChanges(context: Context): Changes {
  const { config, ledger, log, metrics } = context;
  /** By intent: a sibling's payment concerns those who wait for this order too. */
  const waiting = new Map<string, Set<() => void>>();
  let cursor: string | null = null;
  const wake = (intentId: string): void => {
    for (const heard of waiting.get(intentId) ?? []) heard();
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
    apply: async (requestId, fact) => {
      for (;;) {
        const before = await readOrder(ledger, requestId);
        const after = step(before, fact, rules);
        const eventsFor = (paidFirst: string | null): NewShopEvent[] =>
          config.shop_events
            ? shopEventTypes(before, after.order, paidFirst).map((type) =>
                writeShopEvent(type, after.order, fact.at, {
                  livemode: config.mode === 'live',
                  paidFirst,
                }),
              )
            : [];
        if (!(await ledger.replaceOrder(after.order, eventsFor))) continue;
        await report(before, after.order, fact);
        wake(after.order.intent_id);
        return after;
      }
    },
    onChange: (intentId, heard) => {
      const waiters = waiting.get(intentId) ?? new Set();
      waiting.set(intentId, waiters.add(heard));
      return () => {
        waiters.delete(heard);
        if (waiters.size === 0) waiting.delete(intentId);
      };
    },
    paidBy: async ({ intent_id, request_id }) => {
      const paid = (await ledger.intent(intent_id))?.paid_request_id ?? null;
      return paid === request_id ? null : paid;
    },
    hear: async () => {
      const heard = await ledger.changes(cursor);
      cursor = heard.cursor;
      for (const requestId of heard.requestIds) wake(intentOf(requestId));
    },
  };

  async function report(
    before: OrderRow,
    { outcome, option, request_id, review_reason, status }: OrderRow,
    fact: Fact,
  ): Promise<void> {
    if (outcome === before.outcome && status === before.status) return;
    log(outcome === 'review' ? 'warn' : 'info', 'order', {
      request_id,
      fact: fact.type,
      outcome,
      status,
      review_reason,
    });
    if (outcome !== before.outcome) metrics.add('orders', 1, { option, outcome });
    if (outcome !== 'unmapped') return;
    // once per value: the first order that showed it is remembered
    if ((await ledger.keepSetting(`status ${status}`, request_id)) !== request_id) return;
    log('warn', 'unmapped_status', { status, request_id });
    metrics.add('unmapped_statuses', 1, { status: String(status) });
  }
}

/** `<intent_id>` or `<intent_id>.<ordinal>`; an intent_id holds no point (design §4). */
const intentOf = (requestId: string): string => requestId.split('.')[0] ?? requestId;
