/** The backend's two calls to the relay, with the secret key: order token and payment state. */
import { z } from 'zod';
import { compareDecimals, isDecimal } from '../../relay/contract/decimal.js';
import type { ShopOrder } from './order-book.js';

export type State = 'paid' | 'waiting' | 'not_paid' | 'unknown';
/** `placed`: false only when the relay knows no order of this intent; true when that is unknown. */
export type Payment = { state: State; placed: boolean };
export type Send = (url: string, init: RequestInit) => Response | Promise<Response>;

const tokenAnswer = z.object({ order_token: z.string().min(1), expires_at: z.string() });
const attemptAnswer = z.object({
  outcome: z.string(),
  amount: z.string().optional(),
  currency: z.string().optional(),
});
const queryAnswer = z.object({
  order: attemptAnswer,
  attempts: z.array(attemptAnswer).default([]),
});
const failure = z.object({ error: z.object({ code: z.string() }) });

const TOKEN_LIFETIME_S = 3600;
const TIMEOUT_MS = 10_000;

/** Thrown when the relay does not answer, refuses, or sends an unexpected answer. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
}

export type RelayCalls = {
  orderToken(order: ShopOrder, returnUrl: string): Promise<string>;
  payment(order: ShopOrder): Promise<Payment>;
};

export function relayCalls(relayUrl: () => string, secretKey: string, ask: Send): RelayCalls {
  const post = async (path: string, body: object): Promise<{ status: number; body: unknown }> => {
    try {
      const response = await ask(relayUrl().replace(/\/+$/, '') + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: response.status, body: await response.json() };
    } catch (cause) {
      throw new RelayError(`${path}: no answer`, { cause });
    }
  };

  return {
    orderToken: async ({ order_id, amount, currency, items, customer_ref_id }, return_url) => {
      const answer = await post('/v1/order-tokens', {
        amount,
        currency,
        product_name:
          items.length === 1 ? (items[0]?.name ?? '') : `Bean & Leaf, ${items.length} items`,
        customer_ref_id,
        jti: order_id,
        return_url,
        expires_in: TOKEN_LIFETIME_S,
      });
      const read = tokenAnswer.safeParse(answer.body);
      if (answer.status !== 200 || !read.success)
        throw new RelayError(`/v1/order-tokens: ${answer.status}`);
      return read.data.order_token;
    },
    payment: async (order) => {
      try {
        const { amount, currency, order_id } = order;
        const expect = { amount, currency };
        const answer = await post('/v1/query', { intent_id: order_id, expect });
        if (
          answer.status === 404 &&
          failure.safeParse(answer.body).data?.error.code === 'order_unknown'
        )
          return { state: 'not_paid', placed: false };
        const read = queryAnswer.safeParse(answer.body);
        return answer.status === 200 && read.success
          ? { state: stateOf([read.data.order, ...read.data.attempts], order), placed: true }
          : { state: 'unknown', placed: true };
      } catch {
        return { state: 'unknown', placed: true };
      }
    },
  };
}

/**
 * The state of an order after all its attempts: paid when one succeeded with the right amount and
 * currency, waiting while one is open, not paid when all failed or expired, else unknown.
 */
function stateOf(
  attempts: readonly z.infer<typeof attemptAnswer>[],
  { amount, currency }: ShopOrder,
): State {
  const fits = (attempt: z.infer<typeof attemptAnswer>): boolean =>
    (attempt.amount === undefined ||
      (isDecimal(attempt.amount) && compareDecimals(attempt.amount, amount) === 0)) &&
    (attempt.currency === undefined || attempt.currency === currency);
  const has = (...outcomes: string[]): boolean =>
    attempts.some(({ outcome }) => outcomes.includes(outcome));
  if (attempts.some((attempt) => attempt.outcome === 'succeeded' && fits(attempt))) return 'paid';
  if (has('pending', 'confirming')) return 'waiting';
  return attempts.every(({ outcome }) => outcome === 'failed' || outcome === 'expired')
    ? 'not_paid'
    : 'unknown';
}
