/** The rows of orders that a restored ledger lost and that the service knows. Pure. */
import { isCurrencyCode } from '../../contract/requests.js';
import type { IntentMode } from '../../contract/order.js';
import { newOrderFields, type OrderRow } from '../../ledger/rows.js';
import { echoedAmount } from '../echoes.js';
import type { OrderIdentity } from '../new-order.js';
import type { ServiceOrder } from '../order-event.js';

/** An order that the ledger does not have, and the service's answer about it. */
export type Lost = { order: OrderRow; answer: ServiceOrder };

/** An adopted order is polled and never sent: the content of its lost request is not known. */
export const adopted = (order: OrderRow, at: number): OrderRow => ({
  ...order,
  sending: 'lost',
  outcome: 'confirming',
  lost_at: at,
  had_customer: true,
  next_action: { kind: 'wait' },
  next_check_at: at,
});

/**
 * The order that replaced `last`, as far as it is known. Its option is not known, so it keeps the
 * option of `last`. If its amount differs, so does the echo, and the order goes to review.
 */
export const successorOf = (last: OrderRow, identity: OrderIdentity): OrderRow => ({
  ...last,
  ...newOrderFields,
  ...identity,
  traceparent: null,
  expires_at: null,
});

/**
 * An order of an intent that the ledger lost too. Amount and currency are the service's echoes, and
 * empty where it gives none: a payment then differs from the order and goes to review.
 */
export const orderOfEchoes = (
  identity: OrderIdentity & Pick<OrderRow, 'intent_id'>,
  mode: IntentMode,
  { currency: echoed = '', order_amount = '' }: ServiceOrder,
): OrderRow => {
  const currency = isCurrencyCode(echoed) ? echoed : '';
  return {
    ...newOrderFields,
    ...identity,
    option: '',
    amount: echoedAmount(order_amount) ?? '',
    currency,
    pay_currency: currency,
    open_amount: mode === 'open',
    traceparent: null,
    had_customer: true,
    expires_at: null,
    next_check_at: null,
  };
};
