/**
 * Reports intents that are still unpaid some time after they were opened. The event contains a link
 * to the order, with which the customer can still pay a pending one, so that the shop can send a
 * reminder.
 */
import type { Config } from '../config/schema.js';
import type { Outcome } from '../contract/order.js';
import { resumeLink } from '../contract/paths.js';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Intent } from '../ledger/intent.js';
import type { OrderRow } from '../ledger/rows.js';
import { settlingUnpaid } from '../ledger/rules.js';
import type { UnpaidDecision } from '../ledger/shop-ledger.js';
import { isRefusedPayment, lastSentOrder } from '../ledger/shown-order.js';
import { shopEvent } from './shop-event.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/durations.js';

type UnpaidDeps = {
  config: Config;
  ledger: Pick<Ledger, 'change' | 'dueUnpaid' | 'intent'>;
  ledgerClock: Pick<LedgerClock, 'ageOf' | 'agingNow' | 'now'>;
  orderKey(requestId: string): Promise<string>;
  /** Asks the service about the orders of an intent. */
  ask(intentId: string): Promise<unknown>;
};

/** The most intents in one tick, so that no tick keeps the ledger busy for long. */
const MAX_INTENTS_PER_TICK = 50;
/** An answer this young counts, because the service is not asked again so soon. */
const JUST_ANSWERED_MS = 5000;
/** Bound of postponed intents in memory; the report of a forgotten one needs one more answer. */
const MAX_POSTPONED = 10_000;

/** When each order of an intent was last checked, before the report asked about it. */
type CheckedBefore = ReadonlyMap<string, number | null>;

/** @returns a function that reports the intents that are due */
export function createReportUnpaid(deps: UnpaidDeps): () => Promise<void> {
  const looks = new Map<string, CheckedBefore>();
  return async () => {
    // by the aging time, so that a step forward of the clock makes no intent due at once
    const agingTime = deps.ledgerClock.agingNow();
    const due = await deps.ledger.dueUnpaid(agingTime, MAX_INTENTS_PER_TICK);
    // in parallel, since each report waits for an answer of the service
    await Promise.all(due.map((intent) => report(deps, looks, intent)));
    if (looks.size <= MAX_POSTPONED) return;
    for (const id of [...looks.keys()].slice(0, -MAX_POSTPONED)) looks.delete(id);
  };
}

async function report(
  { ask, config, ledger, ledgerClock, orderKey }: UnpaidDeps,
  looks: Map<string, CheckedBefore>,
  { intent_id, orders: dueOrders }: Intent,
): Promise<void> {
  const before = looks.get(intent_id) ?? checkedAt(dueOrders);
  looks.set(intent_id, before);
  // Without this query an intent that was paid a moment ago would be reported as unpaid. When the
  // service does not answer in time, the report is postponed, and the next look uses the answer.
  // It rejects when a restored ledger may lack an order that is paid.
  const isAsked = await ask(intent_id).then(
    () => true,
    () => false,
  );
  const answered = await ledger.intent(intent_id);
  const request_id = (answered && lastSentOrder(answered)?.request_id) ?? '';
  const order_key = await orderKey(request_id);
  const resume_url = resumeLink(config.public_url, { request_id, order_key });
  const agingTime = ledgerClock.agingNow();
  const rule = settlingUnpaid(agingTime, (intent, position) => {
    const { orders } = intent;
    const isEnded = intent.paid_request_id !== null || intent.closed_at !== null;
    if (isEnded || orders.some(isDisputed(config))) {
      looks.delete(intent_id);
      return 'drop';
    }
    const order = orderToReport(intent);
    const postpone = postponed(config, intent.orders.map(ledgerClock.ageOf), agingTime);
    const isAnswered = isAsked && orders.every(isAnsweredSince(before, ledgerClock.now()));
    if (order?.request_id === request_id && !isAnswered) return postpone;
    // the next look at an uncertain or replaced order needs an answer of its own
    looks.delete(intent_id);
    // the order was replaced after its link was made: the next report has a new link
    if (order?.request_id !== request_id) return postpone;
    return [
      shopEvent(config, 'order.unpaid', intent, {
        order,
        at: ledgerClock.now(),
        position,
        resume_url,
      }),
    ];
  });
  await ledger.change(intent_id, rule);
}

/**
 * Postpones a report by a minute, later by an hour and by a day. Each look costs queries about all
 * orders of the intent, and an order may stay uncertain for ever. With the end of following the
 * report is dropped; one that was due only then is tried for an hour.
 */
function postponed(
  { limits, shop_events }: Config,
  ages: readonly (number | null)[],
  agingTime: number,
): UnpaidDecision {
  const known = ages.map((age) => age ?? 0);
  const overdueMs = Math.max(...known) - (shop_events?.unpaid_after_s ?? 0) * 1000;
  if (overdueMs < HOUR_MS) return { postponeTo: agingTime + MINUTE_MS };
  if (known.every((age) => age > limits.follow_days * DAY_MS)) return 'drop';
  return { postponeTo: agingTime + (overdueMs < DAY_MS ? HOUR_MS : DAY_MS) };
}

const checkedAt = (orders: readonly OrderRow[]): CheckedBefore =>
  new Map(orders.map(({ checked_at, request_id }) => [request_id, checked_at]));

/**
 * Whether the service has answered about the order since the report first asked, or has never
 * accepted it. An answer of a moment ago counts too. Any other time is compared for equality only,
 * because the clock may have stepped.
 */
const isAnsweredSince =
  (before: CheckedBefore, now: number) =>
  ({ checked_at, request_id, sending }: OrderRow): boolean =>
    sending === 'unsent' ||
    sending === 'refused' ||
    (checked_at !== null &&
      (checked_at !== before.get(request_id) || Math.abs(now - checked_at) < JUST_ANSWERED_MS));

/**
 * Whether a person decided that the order is not paid, and the service says that it is. The shop
 * was told of both. The customer may have paid, and no later answer changes that, so no report
 * follows.
 */
const isDisputed =
  (config: Config) =>
  (order: OrderRow): boolean =>
    isRefusedPayment(config, order);

/** A customer who may have paid must not be reminded to pay. */
const UNCERTAIN: readonly Outcome[] = ['confirming', 'unmapped', 'review', 'succeeded'];

/** @returns the last sent order; null while an order may be paid, or when none was ever sent */
export function orderToReport(intent: Pick<Intent, 'orders'>): OrderRow | null {
  const isUncertain = ({ outcome, sending }: OrderRow): boolean =>
    sending === 'claimed' || UNCERTAIN.includes(outcome);
  return intent.orders.some(isUncertain) ? null : lastSentOrder(intent);
}
