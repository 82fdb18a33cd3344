/** What the checks of the payment provider share. */
import { isDeepStrictEqual } from 'node:util';
import { sleep, until } from '../../suite/support/wait.js';
import type { PaymentToRefund } from './medusa-facts.js';
import type { Cart } from './storefront.js';
import type { World } from './world.js';

export type Check = {
  name: string;
  /** @returns what went wrong, or null */
  run(world: World): Promise<string | null>;
};

export const MAX_WAIT_MS = 60_000;

/** Waits for a webhook, which Medusa handles after 5 s, and two reconciliations, one every 3 s. */
export const settle = (): Promise<void> => sleep(12_000);

export const emailOf = (name: string): string => `${name}@shop.example`;

/** Medusa links the order to its cart first, and records the money a moment later. */
export const untilOrdered = ({ facts }: World, cart: Cart): Promise<void> =>
  until(
    async () => {
      const { capturedSum, captureCount, linked, recordedSum } = await facts.ofCart(cart);
      return linked > 0 && captureCount > 0 && capturedSum === recordedSum;
    },
    `the order of ${cart.id}`,
    MAX_WAIT_MS,
  );

/** A cart that was paid and has become an order. */
export async function orderedCart(
  world: World,
  name: string,
): Promise<Cart & { sessionId: string }> {
  const { catalogue, choose, confirm, storefront } = world;
  const cart = await storefront.fillCart(emailOf(name), catalogue.uncountedItem);
  const session = await storefront.startPayment(cart);
  await confirm(await choose(session.order_token));
  await untilOrdered(world, cart);
  return { ...cart, sessionId: session.id };
}

/**
 * Waits for a row of the table of payments to refund; it has one row for each payment.
 *
 * @param expected fields of the row
 */
export const untilNoted = ({ facts }: World, expected: Partial<PaymentToRefund>): Promise<void> => {
  const isExpected = (row: PaymentToRefund): boolean =>
    isDeepStrictEqual({ ...row, ...expected }, row);
  const isNoted = async (): Promise<boolean> => (await facts.paymentsToRefund()).some(isExpected);
  return until(isNoted, `a refund to be noted: ${JSON.stringify(expected)}`, MAX_WAIT_MS);
};

/** @returns null when the cart is one order that was paid once; else what the database has of it */
export async function problemUnlessOneOrder({ facts }: World, cart: Cart): Promise<string | null> {
  const found = await facts.ofCart(cart);
  const isOne = found.orders === 1 && found.linked === 1 && found.finished === 1;
  const isPaid = found.captureCount === 1 && found.recordedSum === found.capturedSum;
  return isOne && isPaid ? null : JSON.stringify(found);
}

/** @returns null when the cart has no order and no captured payment; else what the database has */
export async function problemUnlessNoOrder({ facts }: World, cart: Cart): Promise<string | null> {
  const found = await facts.ofCart(cart);
  return found.orders === 0 && found.captureCount === 0 ? null : JSON.stringify(found);
}
