/**
 * Reports intents that nobody has paid some time after they were opened, with a link by which the
 * customer may still pay, so that the shop can send a reminder.
 */
import type { Config } from '../config/schema.js';
import type { Outcome } from '../contract/order.js';
import { resumeLink } from '../contract/resume-link.js';
import type { Ledger } from '../ledger/ledger.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { shopEvent } from './shop-event.js';

type Deps = {
  config: Config;
  ledger: Pick<Ledger, 'dueUnpaid' | 'settleUnpaid'>;
  /** The time that ages are measured by: a clock that steps forward makes no intent due. */
  ageNow(): number;
  now(): number;
  orderKey(requestId: string): Promise<string>;
};

/** Intents of one tick, so that no tick keeps the ledger busy for long. */
const MAX_INTENTS_PER_TICK = 50;
/** How soon the relay looks again at an intent whose payment is uncertain. */
const POSTPONE_MS = 60_000;

export async function reportUnpaid(deps: Deps): Promise<void> {
  const { ageNow, config, ledger, now, orderKey } = deps;
  const age = ageNow();
  for (const { current_request_id, intent_id } of await ledger.dueUnpaid(
    age,
    MAX_INTENTS_PER_TICK,
  )) {
    const request_id = current_request_id ?? '';
    const order_key = await orderKey(request_id);
    const resume_url = resumeLink(config.public_url, { request_id, order_key });
    await ledger.settleUnpaid(intent_id, age, (intent, orders, place) => {
      if (intent.paid_request_id !== null || intent.closed_at !== null) return 'drop';
      const order = orderToReport(intent, orders);
      // replaced since its link was made: the next tick makes another link
      if (order?.request_id !== request_id) return { postponeTo: age + POSTPONE_MS };
      return [shopEvent(config, 'order.unpaid', intent, { order, at: now(), place, resume_url })];
    });
  }
}

/** A customer who may have paid must not be reminded to pay. */
const UNCERTAIN: readonly Outcome[] = ['confirming', 'unmapped', 'review', 'succeeded'];

/**
 * @returns the intent's current order; null while an order may be paid, or was never sent
 */
export function orderToReport(
  { current_request_id }: Pick<IntentRow, 'current_request_id'>,
  orders: readonly OrderRow[],
): OrderRow | null {
  const isUncertain = ({ outcome, sending }: OrderRow): boolean =>
    sending === 'claimed' || UNCERTAIN.includes(outcome);
  if (orders.some(isUncertain)) return null;
  const current = orders.find(({ request_id }) => request_id === current_request_id);
  return current && current.sending !== 'unsent' ? current : null;
}
