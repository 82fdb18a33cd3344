/**
 * Reports intents that are still unpaid some time after they were opened. The event contains a link
 * with which the customer can still pay, so that the shop can send a reminder.
 */
import type { Config } from '../config/schema.js';
import type { Outcome } from '../contract/order.js';
import { resumeLink } from '../contract/paths.js';
import type { Ledger } from '../ledger/ledger.js';
import type { IntentRow, OrderRow } from '../ledger/rows.js';
import { standingOrder } from '../ledger/standing-order.js';
import { shopEvent } from './shop-event.js';

type UnpaidDeps = {
  config: Config;
  ledger: Pick<Ledger, 'dueUnpaid' | 'ordersOf' | 'settleUnpaid'>;
  /** The aging time: a step forward of the system clock makes no intent due at once. */
  agingNow(): number;
  now(): number;
  orderKey(requestId: string): Promise<string>;
  /** Asks the service about the orders of an intent. */
  ask(intentId: string): Promise<unknown>;
};

/** The most intents in one tick, so that no tick keeps the ledger busy for long. */
const MAX_INTENTS_PER_TICK = 50;
/** How soon the relay looks again at an intent whose payment is uncertain. */
const POSTPONE_MS = 60_000;
/**
 * How long an answer of the service counts, so that the next look after a postponement can use it.
 */
const ANSWER_COUNTS_MS = 2 * POSTPONE_MS;

export async function reportUnpaid(deps: UnpaidDeps): Promise<void> {
  const due = await deps.ledger.dueUnpaid(deps.agingNow(), MAX_INTENTS_PER_TICK);
  // together, since each waits for an answer of the service
  await Promise.all(due.map((intent) => report(deps, intent)));
}

async function report(
  { agingNow, ask, config, ledger, now, orderKey }: UnpaidDeps,
  { intent_id }: IntentRow,
): Promise<void> {
  // Without this query an intent that was paid a moment ago would be reported as unpaid. When the
  // service does not answer, the report is postponed.
  await ask(intent_id).catch(() => {});
  const request_id = standingOrder(await ledger.ordersOf(intent_id))?.request_id ?? '';
  const order_key = await orderKey(request_id);
  const resume_url = resumeLink(config.public_url, { request_id, order_key });
  const agingTime = agingNow();
  await ledger.settleUnpaid(intent_id, agingTime, (intent, orders, position) => {
    if (intent.paid_request_id !== null || intent.closed_at !== null) return 'drop';
    const order = orderToReport(orders);
    // the order was replaced after its link was made: the next report has a new link
    if (order?.request_id !== request_id || !orders.every(isAnswered(now())))
      return { postponeTo: agingTime + POSTPONE_MS };
    return [shopEvent(config, 'order.unpaid', intent, { order, at: now(), position, resume_url })];
  });
}

/** Whether the service answered about the order a short time ago, or has never accepted it. */
const isAnswered =
  (now: number) =>
  ({ checked_at, sending }: OrderRow): boolean =>
    sending === 'unsent' ||
    sending === 'refused' ||
    (checked_at !== null && Math.abs(now - checked_at) < ANSWER_COUNTS_MS);

/** A customer who may have paid must not be reminded to pay. */
const UNCERTAIN: readonly Outcome[] = ['confirming', 'unmapped', 'review', 'succeeded'];

/**
 * @param orders of the intent, the first one first
 * @returns the order that the intent has; null while an order may be paid, or none was ever sent
 */
export function orderToReport(orders: readonly OrderRow[]): OrderRow | null {
  const isUncertain = ({ outcome, sending }: OrderRow): boolean =>
    sending === 'claimed' || UNCERTAIN.includes(outcome);
  if (orders.some(isUncertain)) return null;
  return standingOrder(orders) ?? null;
}
