/**
 * Makes orders with an unmapped status due again, once the status table names their status. After
 * `limits.follow_days` no schedule asks about them, and only an answer of the service can prove
 * what a stored status says.
 */
import { readStatus } from '../../config/statuses.js';
import type { Place, WalkBy } from '../../ledger/operator-ledger.js';
import type { OrderRow } from '../../ledger/rows.js';
import type { Context } from '../context.js';
import type { OrderStore } from '../order-store.js';

/** Intents that one tick reads: a step must not keep customers waiting. */
const INTENTS_PER_STEP = 50;
/** An intent with an order in review waits for that, and may have an unmapped order too. */
const UNMAPPED: WalkBy = ['review', 'unmapped'];
const ALWAYS = { since: 0, until: Number.MAX_SAFE_INTEGER };

/**
 * Goes once through what waits, a step at each call; a reload of the configuration makes another
 * one. A relay that has the former table yet may ask first, and find the status unmapped again.
 * The order is then followed for `follow_days` again, so the other relays ask too.
 */
export function createFollowMapped(
  { config, ledger, ledgerClock }: Pick<Context, 'config' | 'ledger' | 'ledgerClock'>,
  { apply }: Pick<OrderStore, 'apply'>,
): () => Promise<void> {
  let after: Place | null = null;
  let isDone = false;
  const isMappedNow = ({ first_status, outcome, status }: OrderRow): boolean =>
    outcome === 'unmapped' &&
    status !== null &&
    readStatus(config.statuses, status, first_status) !== 'unmapped';
  return async () => {
    if (isDone) return;
    const found = await ledger.walkIntents(UNMAPPED, ALWAYS, after, INTENTS_PER_STEP);
    for (const { at, intent } of found) {
      for (const order of intent.orders)
        if (order.next_check_at === null && isMappedNow(order))
          await apply(order, { type: 'signalled', at: ledgerClock.now() });
      after = { at, id: intent.intent_id };
    }
    isDone = found.length < INTENTS_PER_STEP;
  };
}
