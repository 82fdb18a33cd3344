/** Asks the service about an intent's orders before it is used, so that no payment is missed. */
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import type { LongPoll } from './polling/long-poll.js';
import type { Urgency } from './polling/query-queue.js';
import type { Restored } from './restored.js';

/** How long the orders wait for the service's answers before the ledger decides. */
const MAX_WAIT_MS = 2000;

export type Refreshed = { intent: IntentRow; orders: readonly OrderRow[] };

/**
 * @param urgency `urgent` asks even when many queries wait, or the order was queried just now
 * @returns the intent and its orders after the answers; null when the ledger lacks the intent
 */
export type RefreshIntent = (
  intentId: string,
  urgency: Exclude<Urgency, 'scheduled'>,
) => Promise<Refreshed | null>;

type RefreshIntentDeps = {
  longPoll: Pick<LongPoll, 'check'>;
  restored: Pick<Restored, 'adoptSuccessors'>;
};

export const createRefreshIntent =
  ({ ledger }: Pick<Context, 'ledger'>, { longPoll, restored }: RefreshIntentDeps): RefreshIntent =>
  async (intentId, urgency) => {
    const known = await ledger.ordersOf(intentId);
    const orders = await Promise.all(
      known.map((order) =>
        order.outcome === 'succeeded' ? order : longPoll.check(order, MAX_WAIT_MS, urgency),
      ),
    );
    const before = await ledger.intent(intentId);
    if (!before) return null;
    const changed = await restored.adoptSuccessors(intentId);
    // read after the checks: an answer of the service may have marked the intent as paid
    const intent = (await ledger.intent(intentId)) ?? before;
    return { intent, orders: changed ? await ledger.ordersOf(intentId) : orders };
  };
