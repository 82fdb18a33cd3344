/** Asks whether an intent that is to be superseded is paid. */
import type { IntentRow } from '../ledger/rows.js';
import type { Context } from './context.js';
import { notSuperseded } from './place-failures.js';
import type { RefreshIntent } from './refresh-intent.js';
import type { Restored } from './restored.js';

type CheckUnpaidDeps = { restored: Restored; refreshIntent: RefreshIntent };

/**
 * Asks the service about the orders of the intents to supersede.
 *
 * @throws Failure `already_paid` when one of them is paid
 */
export async function checkUnpaid(
  { time }: Pick<Context, 'time'>,
  { refreshIntent, restored }: CheckUnpaidDeps,
  formers: readonly IntentRow[],
): Promise<void> {
  // together: one after the other, twenty of them would wait 40 s for a silent service
  const refreshed = await Promise.all(
    formers.map(({ intent_id }) => refreshIntent(intent_id, 'urgent')),
  );
  if (refreshed.some((former) => former && isPaidAndOpen(former.intent)))
    throw notSuperseded('already_paid');
  // Only now, because a refused claim closes none of them.
  for (const former of formers.filter((_, index) => !refreshed[index])) {
    const outcome = await restored.closeLost({ ...former, closed_at: time.now() });
    if (outcome === 'paid') throw notSuperseded('already_paid');
  }
}

/** A payment after the close is to be refunded, and does not hinder the customer's next basket. */
const isPaidAndOpen = (intent: IntentRow): boolean =>
  intent.paid_request_id !== null && intent.closed_at === null;
