/** An order, its intent and its events as an operator sees them. */
import type { z } from 'zod';
import { paidAt } from '../ledger/history.js';
import type { Intent, OrderInIntent } from '../ledger/intent.js';
import { isPaidLate, type IntentRow, type ShopEventHead } from '../ledger/rows.js';
import { shownOutcome } from '../ledger/shown-order.js';
import { parseMetadata } from '../webhooks/purchase.js';
import type { operatorEvent, operatorIntent, OperatorOrder } from './shapes.js';

export const instant = (ms: number): string => new Date(ms).toISOString();
export const instantOrNull = (ms: number | null): string | null =>
  ms === null ? null : instant(ms);

export function asOperatorOrder({ intent, order }: OrderInIntent): OperatorOrder {
  const { checked_at, created_at, next_check_at } = order;
  const { amount, currency, option, order_no, pay_currency, payee, request_id } = order;
  const { echoed_amount, echoed_currency, resolved_as, review_reason, sending, status } = order;
  const { customer_ref_id, intent_id, product_name } = intent;
  return {
    request_id,
    intent_id,
    order_no,
    option,
    amount,
    currency,
    pay_currency,
    outcome: shownOutcome(order),
    status,
    sending,
    review_reason,
    echoed_amount,
    echoed_currency,
    payee,
    resolved_as,
    late: isPaidLate(order),
    customer_ref_id,
    product_name,
    opened_at: instant(intent.created_at),
    created_at: instant(created_at),
    checked_at: instantOrNull(checked_at),
    next_check_at: instantOrNull(next_check_at),
    paid_at: instantOrNull(paidAt(order)),
  };
}

export const asOperatorOrders = (intent: Intent): OperatorOrder[] =>
  intent.orders.map((order) => asOperatorOrder({ intent, order }));

export function asOperatorIntent(intent: IntentRow): z.infer<typeof operatorIntent> {
  const { amount, currency, customer_ref_id, intent_id, mode, product_name } = intent;
  const { close_reason, closed_by, erased_by, paid_request_id, quantity, remark, sku } = intent;
  return {
    intent_id,
    mode,
    amount,
    currency,
    product_name,
    customer_ref_id,
    remark,
    sku,
    quantity,
    metadata: intent.metadata === null ? null : parseMetadata(intent.metadata),
    created_at: instant(intent.created_at),
    paid_request_id,
    closed_at: instantOrNull(intent.closed_at),
    close_reason,
    closed_by,
    erased_at: instantOrNull(intent.erased_at),
    erased_by,
  };
}

export function asOperatorEvent(event: ShopEventHead): z.infer<typeof operatorEvent> {
  const { event_id, intent_id, last_failure, resent_by, tries, type } = event;
  return {
    id: event_id,
    intent_id,
    type,
    created_at: instant(event.created_at),
    tries,
    last_failure,
    next_try_at: instantOrNull(event.next_try_at),
    first_delivered_at: instantOrNull(event.first_delivered_at),
    delivered_at: instantOrNull(event.delivered_at),
    resent_at: instantOrNull(event.resent_at),
    resent_by,
    erased: event.erased_at !== null,
  };
}
