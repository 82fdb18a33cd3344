/**
 * An order, its intent and its events as an operator sees them: the schema of the answer takes its
 * fields from the row, in its own order, and drops all others.
 */
import type { z } from 'zod';
import type { Config } from '../config/schema.js';
import { paidAt } from '../ledger/history.js';
import type { Intent, OrderInIntent } from '../ledger/intent.js';
import { isPaidLate, type IntentRow, type ShopEventHead } from '../ledger/rows.js';
import { payBackReason, shownOutcome } from '../ledger/shown-order.js';
import { parseMetadata } from '../webhooks/purchase.js';
import { operatorEvent, operatorIntent, operatorOrder, type OperatorOrder } from './shapes.js';

type OperatorIntent = z.infer<typeof operatorIntent>;
type OperatorEvent = z.infer<typeof operatorEvent>;

export const instant = (ms: number): string => new Date(ms).toISOString();
export const instantOrNull = (ms: number | null): string | null =>
  ms === null ? null : instant(ms);

type Statuses = Pick<Config, 'statuses'>;

export const asOperatorOrder = (
  config: Statuses,
  { intent, order }: OrderInIntent,
): OperatorOrder => {
  // the decision that counts: a later one may only have ended a review
  const last = intent.resolutions.findLast(
    (each) => each.request_id === order.request_id && each.resolved_as === order.resolved_as,
  );
  return operatorOrder.parse({
    ...intent,
    ...order,
    outcome: shownOutcome(order),
    resolved_by: last?.resolved_by ?? null,
    resolved_note: last?.note ?? null,
    pay_back: payBackReason(config, { intent, order }),
    late: isPaidLate(order),
    opened_at: instant(intent.created_at),
    created_at: instant(order.created_at),
    checked_at: instantOrNull(order.checked_at),
    next_check_at: instantOrNull(order.next_check_at),
    paid_at: instantOrNull(paidAt(order)),
  } satisfies OperatorOrder);
};

export const asOperatorOrders = (config: Statuses, intent: Intent): OperatorOrder[] =>
  intent.orders.map((order) => asOperatorOrder(config, { intent, order }));

export const asOperatorIntent = (intent: IntentRow): OperatorIntent =>
  operatorIntent.parse({
    ...intent,
    metadata: intent.metadata === null ? null : parseMetadata(intent.metadata),
    created_at: instant(intent.created_at),
    closed_at: instantOrNull(intent.closed_at),
    erased_at: instantOrNull(intent.erased_at),
  } satisfies OperatorIntent);

export const asOperatorEvent = (event: ShopEventHead): OperatorEvent =>
  operatorEvent.parse({
    ...event,
    id: event.event_id,
    created_at: instant(event.created_at),
    next_try_at: instantOrNull(event.next_try_at),
    first_delivered_at: instantOrNull(event.first_delivered_at),
    delivered_at: instantOrNull(event.delivered_at),
    resent_at: instantOrNull(event.resent_at),
    erased: event.erased_at !== null,
  } satisfies OperatorEvent);
