/** Customers of the Medusa shop: they fill a cart, and pay with the sandbox's phone. */
import { z } from 'zod';
import { createApi, MedusaRefusal, withId, type Api } from './medusa-api.js';
import { PROVIDER, type Catalogue } from './seed.js';
import { until } from '../../suite/support/wait.js';

/** Medusa is killed while customers use it; they try again. */
const RETRY_MS = 180_000;

export type Cart = { id: string; email: string; collectionId: string };
export type Session = { id: string; order_token: string; amount: string };

const sessions = z.object({
  payment_collection: z.object({
    payment_sessions: z.array(
      z.object({
        id: z.string(),
        provider_id: z.string(),
        data: z.object({ order_token: z.string(), amount: z.string() }),
      }),
    ),
  }),
});

const completion = z.object({ type: z.string() });

export type Storefront = {
  api: Api;
  fillCart(email: string, variant: string, quantity?: number): Promise<Cart>;
  /**
   * Creates a payment session, which deletes the one that the cart had before.
   * @param data what a storefront may send beside the provider
   */
  startPayment(cart: Cart, data?: object): Promise<Session>;
  /** Adds an item, which deletes the payment session. */
  addItem(cart: Cart, variant: string): Promise<void>;
  /**
   * Completes the cart, as a page does after the payment.
   * @returns whether Medusa answers with an order
   */
  complete(cart: Cart): Promise<boolean>;
};

export function createStorefront(url: string, catalogue: Catalogue): Storefront {
  const send = createApi(url, { 'x-publishable-api-key': catalogue.publishableKey });
  const api: Api = async (path, answer, body) => {
    let found: { answer: Awaited<ReturnType<typeof send>> } | undefined;
    await until(
      async () => {
        try {
          found = { answer: await send(path, answer, body) };
          return true;
        } catch (error) {
          if (error instanceof MedusaRefusal) throw error;
          return false;
        }
      },
      path,
      RETRY_MS,
    );
    return answer.parse(found?.answer);
  };
  return {
    api,
    fillCart: async (email, variant, quantity = 1) => {
      const { cart } = await api('/store/carts', z.object({ cart: withId }), {
        region_id: catalogue.regionId,
        email,
        shipping_address: { address_1: 'Street 2', country_code: 'us' },
        items: [{ variant_id: variant, quantity }],
      });
      await api(`/store/carts/${cart.id}/shipping-methods`, z.unknown(), {
        option_id: catalogue.shippingOptionId,
      });
      const { payment_collection: collection } = await api(
        '/store/payment-collections',
        z.object({ payment_collection: withId }),
        { cart_id: cart.id },
      );
      return { id: cart.id, email, collectionId: collection.id };
    },
    addItem: async ({ id }, variant) => {
      await api(`/store/carts/${id}/line-items`, z.unknown(), { variant_id: variant, quantity: 1 });
    },
    complete: async ({ id }) => {
      const answer = await send(`/store/carts/${id}/complete`, completion, {}).catch(
        (error: unknown) => {
          if (error instanceof MedusaRefusal) return { type: 'cart' };
          throw error;
        },
      );
      return answer.type === 'order';
    },
    startPayment: async ({ collectionId }, data) => {
      const path = `/store/payment-collections/${collectionId}/payment-sessions`;
      const body = { provider_id: PROVIDER, ...(data && { data }) };
      const { payment_collection: found } = await api(path, sessions, body);
      const session = found.payment_sessions.find((each) => each.provider_id === PROVIDER);
      if (!session) throw new Error(`${path}: no session of ${PROVIDER}`);
      return { id: session.id, ...session.data };
    },
  };
}
