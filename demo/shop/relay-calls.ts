/** The backend's requests to the relay, with the secret key: order token, close, payment state. */
import { compareDecimals, isDecimal } from '../../relay/contract/decimal.js';
import {
  closeIntent,
  createOrderToken,
  fetchOrder,
  RelayError,
  type BackendOrder,
  type RelayAccess,
} from '../../widget/shop/index.js';
import type { ShopOrder } from './order-book.js';

export type State = 'paid' | 'waiting' | 'not_paid' | 'unknown';
/** `placed` is false only when the relay knows that the intent has no order. */
export type Payment = { state: State; placed: boolean };

const TOKEN_LIFETIME_S = 3600;

type RelayCalls = {
  orderToken(order: ShopOrder, returnUrl: string): Promise<string>;
  /**
   * @returns false when the order is paid
   * @throws RelayError when it may still be open
   */
  close(order: ShopOrder): Promise<boolean>;
  payment(order: ShopOrder): Promise<Payment>;
};

export const relayCalls = (access: RelayAccess): RelayCalls => ({
  orderToken: async ({ order_id, amount, currency, items, customer_ref_id }, return_url) => {
    const product_name =
      items.length === 1 ? (items[0]?.name ?? '') : `Bean & Leaf, ${items.length} items`;
    const { order_token } = await createOrderToken(access, {
      amount,
      currency,
      product_name,
      customer_ref_id,
      jti: order_id,
      return_url,
      expires_in: TOKEN_LIFETIME_S,
    });
    return order_token;
  },
  close: async ({ order_id }) => {
    try {
      await closeIntent(access, { intent_id: order_id, reason: 'the basket changed' });
      return true;
    } catch (error) {
      if (error instanceof RelayError && error.code === 'already_paid') return false;
      throw error;
    }
  },
  payment: async (order) => {
    try {
      const { amount, currency, order_id } = order;
      const expect = { amount, currency };
      const { orders } = await fetchOrder(access, { intent_id: order_id }, { expect });
      return { state: stateOf(orders, order), placed: true };
    } catch (error) {
      return error instanceof RelayError && error.code === 'order_unknown'
        ? { state: 'not_paid', placed: false }
        : { state: 'unknown', placed: true };
    }
  },
});

/**
 * The state of the shop's order from the orders of its intent: `paid` when one succeeded with the
 * right amount and currency, `waiting` while one is open, `not_paid` when every one failed or
 * expired, and else `unknown`.
 */
function stateOf(
  orders: readonly Pick<BackendOrder, 'outcome' | 'amount' | 'currency'>[],
  wanted: ShopOrder,
): State {
  const fits = ({ amount, currency }: Pick<BackendOrder, 'amount' | 'currency'>): boolean =>
    isDecimal(amount) &&
    compareDecimals(amount, wanted.amount) === 0 &&
    currency === wanted.currency;
  const has = (...outcomes: string[]): boolean =>
    orders.some(({ outcome }) => outcomes.includes(outcome));
  if (orders.some((each) => each.outcome === 'succeeded' && fits(each))) return 'paid';
  if (has('pending', 'confirming')) return 'waiting';
  return orders.every(({ outcome }) => outcome === 'failed' || outcome === 'expired')
    ? 'not_paid'
    : 'unknown';
}
