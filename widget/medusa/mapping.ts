/** What orders and events of pay-checkout mean in Medusa. Nothing here needs Medusa to run. */

/** The part of an event, and of an order, that the meaning depends on. */
type PaymentEvent = {
  type: string;
  data: { intent_id: string; amount: string; resolved_as?: string };
};
type PaymentOrder = { outcome: string; closed_at?: string; resolved_as?: string };

type WebhookAction =
  | { action: 'captured' | 'failed'; data: { session_id: string; amount: string } }
  | { action: 'not_supported' };

/** The `jti` of an order token is the id of Medusa's payment session. */
const SESSION_ID = /^payses_[A-Za-z0-9]{1,49}$/;

/** Whether the intent is Medusa's; the relay may serve other systems too. */
export const isSession = (intent_id: string): boolean => SESSION_ID.test(intent_id);

/**
 * Only `order.succeeded` means that there is money to deliver for. A payment to refund
 * (`order.late_payment`, `order.duplicate_payment`) must not complete a cart, and neither must one
 * of an order that a person has resolved as failed.
 */
export function actionOf({ data: event, type }: PaymentEvent): WebhookAction {
  const { amount, intent_id, resolved_as } = event;
  if (!isSession(intent_id)) return { action: 'not_supported' };
  const data = { session_id: intent_id, amount };
  if (type === 'order.succeeded' && resolved_as !== 'failed') return { action: 'captured', data };
  if (type === 'order.failed' || type === 'order.expired') return { action: 'failed', data };
  return { action: 'not_supported' };
}

/**
 * A failed or expired order is reported as `pending`: the customer may choose another way to pay,
 * and the first order may still be paid. With the status `error` Medusa would not complete the
 * cart.
 */
export function statusOf({
  closed_at,
  outcome,
  resolved_as,
}: PaymentOrder): 'captured' | 'pending' | 'canceled' {
  if (closed_at !== undefined) return 'canceled';
  return outcome === 'succeeded' && resolved_as !== 'failed' ? 'captured' : 'pending';
}

/** Medusa writes currencies in lower case. */
export const currencyOf = (code: string): string => code.toUpperCase();

/** @returns the decimal places of a currency; undefined for a code that is not of three letters */
export function placesOf(currency: string): number | undefined {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits;
  } catch {
    return undefined;
  }
}
