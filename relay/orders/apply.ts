/** Carries a fact into the ledger: read, step, write if nobody was faster, tell those who wait. */
import type { NewShopEvent, OrderRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import { shopEventTypes, writeShopEvent } from './shop-event.js';
import { step, type Fact, type Rules, type Work } from './order-flow.js';

export type Changes = {
  /** @returns the order as written, and the work that falls to the writer */
  apply(requestId: string, fact: Fact): Promise<{ order: OrderRow; work: readonly Work[] }>;
  /** Resolves at the order's next change in this process, or when the signal aborts. */
  changed(requestId: string, signal: AbortSignal): Promise<void>;
};

/** Beyond the answer's deadline: a claim must outlive its own request. */
const CLAIM_GRACE_MS = 2000;

export const claimMs = (context: Context): number => context.config.service.timeout_ms + CLAIM_GRACE_MS;

export function createChanges(context: Context): Changes {
  const { config, ledger, log } = context;
  const waiting = new Map<string, Set<() => void>>();
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
        const before = await ledger.order(requestId);
        if (!before) throw new Error(`the ledger has no order ${requestId}`);
        const after = step(before, fact, rules);
        const eventsFor = (paidFirst: string | null): NewShopEvent[] =>
          config.shop_events
            ? shopEventTypes(before, after.order, paidFirst).map((type) =>
                writeShopEvent(type, after.order, fact.at, { livemode: config.mode === 'live', paidFirst }),
              )
            : [];
        if (!(await ledger.replaceOrder(after.order, eventsFor))) continue;
        const { outcome, status, review_reason } = after.order;
        if (outcome !== before.outcome || status !== before.status)
          log(outcome === 'review' ? 'warn' : 'info', 'order', { request_id: requestId, fact: fact.type, outcome, status, review_reason });
        for (const wake of waiting.get(requestId) ?? []) wake();
        return after;
      }
    },
    changed: (requestId, signal) =>
      new Promise((resolve) => {
        const waiters = waiting.get(requestId) ?? new Set();
        waiting.set(requestId, waiters);
        const done = (): void => {
          waiters.delete(done);
          if (waiters.size === 0) waiting.delete(requestId);
          signal.removeEventListener('abort', done);
          resolve();
        };
        if (signal.aborted) return done();
        waiters.add(done);
        signal.addEventListener('abort', done, { once: true });
      }),
  };
}
