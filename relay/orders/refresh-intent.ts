/** Asks the service about an intent's orders before it is used, so that no payment is missed. */
import type { Trace } from '../contract/trace.js';
import type { Intent } from '../ledger/intent.js';
import type { Context } from './context.js';
import type { LongPoll } from './polling/long-poll.js';
import type { Urgency } from './polling/query-queue.js';
import type { Restored } from './restored/restored.js';

/** How long the orders wait for the service's answers before the ledger decides. */
const MAX_WAIT_MS = 2000;

/**
 * @param urgency `urgent` asks even when many queries wait, or the order was queried just now
 * @returns the intent after the answers; null when the ledger lacks the intent
 */
export type RefreshIntent = (
  intentId: string,
  urgency: Exclude<Urgency, 'scheduled'>,
  trace?: Trace,
) => Promise<Intent | null>;

type RefreshIntentDeps = {
  longPoll: { check(...given: Parameters<LongPoll['check']>): Promise<unknown> };
  restored: Pick<Restored, 'adoptSuccessors'>;
};

export const createRefreshIntent =
  ({ ledger }: Pick<Context, 'ledger'>, { longPoll, restored }: RefreshIntentDeps): RefreshIntent =>
  async (intentId, urgency, trace) => {
    const known = await ledger.intent(intentId);
    if (!known) return null;
    await Promise.all(
      known.orders.map(async (order) => {
        if (order.outcome === 'succeeded') return;
        await longPoll.check({ intent: known, order }, MAX_WAIT_MS, urgency, trace);
      }),
    );
    await restored.adoptSuccessors(intentId);
    return (await ledger.intent(intentId)) ?? known;
  };
