/** The backend's two requests to the relay, with the secret key: order token and payment state. */
import { compareDecimals, isDecimal } from '../../relay/contract/decimal.js';
import {
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

export type RelayCalls = {
  orderToken(order: ShopOrder, returnUrl: string): Promise<string>;
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
  payment: async (order) => {
    try {
      const { amount, currency, order_id } = order;
      const expect = { amount, currency };
      const { attempts } = await fetchOrder(access, { intent_id: order_id }, { expect });
      return { state: stateOf(attempts, order), placed: true };
    } catch (error) {
      return error instanceof RelayError && error.code === 'order_unknown'
        ? { state: 'not_paid', placed: false }
        : { state: 'unknown', placed: true };
    }
  },
});

/**
 * The state of an order from its attempts: `paid` when an attempt succeeded with the right amount
 * and currency, `waiting` while an attempt is open, `not_paid` when every attempt failed or
 * expired, and else `unknown`.
 */
function stateOf(
  attempts: readonly Pick<BackendOrder, 'outcome' | 'amount' | 'currency'>[],
  wanted: ShopOrder,
): State {
  const fits = ({ amount, currency }: Pick<BackendOrder, 'amount' | 'currency'>): boolean =>
    isDecimal(amount) &&
    compareDecimals(amount, wanted.amount) === 0 &&
    currency === wanted.currency;
  const has = (...outcomes: string[]): boolean =>
    attempts.some(({ outcome }) => outcomes.includes(outcome));
  if (attempts.some((attempt) => attempt.outcome === 'succeeded' && fits(attempt))) return 'paid';
  if (has('pending', 'confirming')) return 'waiting';
  return attempts.every(({ outcome }) => outcome === 'failed' || outcome === 'expired')
    ? 'not_paid'
    : 'unknown';
}
