/** Asks the service whether the intents that a new intent supersedes are paid. */
import type { Config } from '../config/schema.js';
import type { Claim } from '../ledger/ledger.js';
import type { IntentRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import type { FoundIntents } from './lost-intents.js';
import { isPaidInReview } from './paid-in-review.js';
import { notSuperseded } from './place-failures.js';
import type { Refreshed, RefreshIntent } from './refresh-intent.js';
import type { Restored } from './restored.js';

type CheckUnpaidDeps = { restored: Restored; refreshIntent: RefreshIntent };

/**
 * Asks the service about the orders of the intents to supersede. It closes none of them, because
 * the new order may still be refused.
 *
 * @returns the rows of the intents that the ledger lacks, and the orders of theirs that it lost
 * @throws Failure `already_paid` when one of them is paid
 */
export async function checkUnpaid(
  { config }: Pick<Context, 'config'>,
  { refreshIntent, restored }: CheckUnpaidDeps,
  supersededIntents: readonly IntentRow[],
): Promise<FoundIntents> {
  // in parallel: twenty intents in turn would wait 40 s for a service that does not answer
  const refreshed = await Promise.all(
    supersededIntents.map(({ intent_id }) => refreshIntent(intent_id, 'urgent')),
  );
  if (refreshed.some((superseded) => superseded && isPaidAndOpen(config, superseded)))
    throw notSuperseded('already_paid');
  const lacking = supersededIntents.filter((_, index) => !refreshed[index]);
  const found = await restored.findLost(lacking);
  if (found === 'paid') throw notSuperseded('already_paid');
  return found;
}

/** The part of a claim for the superseded intents, with what the ledger lost of them. */
export const supersedeLost = (
  supersededIntents: readonly IntentRow[],
  { intents, orders }: FoundIntents,
): Required<Pick<Claim, 'supersedes' | 'lostOrders'>> => ({
  supersedes: supersededIntents.map(
    (unknown) => intents.find(({ intent_id }) => intent_id === unknown.intent_id) ?? unknown,
  ),
  // they are polled as soon as they are written
  lostOrders: orders.map(({ order }) => order),
});

/** A payment made after the close is refunded, so it does not block the new intent. */
const isPaidAndOpen = (config: Config, { intent, orders }: Refreshed): boolean =>
  intent.closed_at === null && (intent.paid_request_id !== null || isPaidInReview(config, orders));
