/** Asks the service whether the intents that a new intent supersedes are paid. */
import type { Config } from '../config/schema.js';
import type { IntentRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import { notSuperseded } from './place-failures.js';
import { isPaidInReview } from './paid-in-review.js';
import type { Refreshed, RefreshIntent } from './refresh-intent.js';
import type { Restored } from './restored.js';

type CheckUnpaidDeps = { restored: Restored; refreshIntent: RefreshIntent };

/**
 * Asks the service about the orders of the intents to supersede.
 *
 * @throws Failure `already_paid` when one of them is paid
 */
export async function checkUnpaid(
  { config, time }: Pick<Context, 'config' | 'time'>,
  { refreshIntent, restored }: CheckUnpaidDeps,
  supersededIntents: readonly IntentRow[],
): Promise<void> {
  // in parallel: twenty intents in turn would wait 40 s for a service that does not answer
  const refreshed = await Promise.all(
    supersededIntents.map(({ intent_id }) => refreshIntent(intent_id, 'urgent')),
  );
  if (refreshed.some((superseded) => superseded && isPaidAndOpen(config, superseded)))
    throw notSuperseded('already_paid');
  // The ledger lacks these intents. They are closed only after the check above, because a request
  // that is refused must not close an intent.
  const closed_at = time.now();
  const lacking = supersededIntents.filter((_, index) => !refreshed[index]);
  const outcome = await restored.closeLost(lacking.map((intent) => ({ ...intent, closed_at })));
  if (outcome === 'paid') throw notSuperseded('already_paid');
}

/** A payment made after the close is refunded, so it does not block the new intent. */
const isPaidAndOpen = (config: Config, { intent, orders }: Refreshed): boolean =>
  intent.closed_at === null && (intent.paid_request_id !== null || isPaidInReview(config, orders));
