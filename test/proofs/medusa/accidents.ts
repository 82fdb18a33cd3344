/** Accidents in a shop, without an attacker. Each check returns what went wrong, or null. */
import { z } from 'zod';
import { sleep, until } from '../../suite/support/wait.js';
import {
  emailOf,
  MAX_WAIT_MS,
  orderedCart,
  settle,
  untilNoted,
  problemUnlessNoOrder,
  problemUnlessOneOrder,
  untilOrdered,
  type Check,
} from './checks.js';
import { MedusaRefusal } from './medusa-api.js';

/** @returns Medusa's message when it refuses the request, null when it accepts it */
const refusalOf = (request: Promise<unknown>): Promise<string | null> =>
  request.then(
    () => null,
    (error: unknown) => {
      if (error instanceof MedusaRefusal) return error.message;
      throw error;
    },
  );

const completedEarly: Check = {
  name: 'a cart that the page tries to complete before the payment becomes an order after it',
  run: async (world) => {
    const { catalogue, choose, confirm, storefront } = world;
    const cart = await storefront.fillCart(emailOf('early'), catalogue.uncountedItem);
    const { order_token } = await storefront.startPayment(cart);
    if (await storefront.complete(cart)) return 'an order without a payment';
    const order = await choose(order_token);
    if (await storefront.complete(cart)) return 'an order without a payment';
    const early = await problemUnlessNoOrder(world, cart);
    if (early !== null) return early;
    await confirm(order);
    await untilOrdered(world, cart);
    await settle();
    return problemUnlessOneOrder(world, cart);
  },
};

const completedAtOnce: Check = {
  name: 'a cart is one order when ten pages, the events and the reconciliation complete it at once',
  run: async (world) => {
    const { catalogue, choose, confirm, storefront } = world;
    const cart = await storefront.fillCart(emailOf('at-once'), catalogue.uncountedItem);
    const { order_token } = await storefront.startPayment(cart);
    await confirm(await choose(order_token));
    await Promise.all(Array.from({ length: 10 }, () => storefront.complete(cart)));
    await untilOrdered(world, cart);
    await settle();
    return problemUnlessOneOrder(world, cart);
  },
};

const paidThenChanged: Check = {
  name: 'a cart that is paid cannot be changed, and is one order of the paid amount',
  run: async (world) => {
    const { catalogue, choose, confirm, facts, storefront } = world;
    const cart = await storefront.fillCart(emailOf('paid-then-changed'), catalogue.uncountedItem);
    const { amount, order_token } = await storefront.startPayment(cart);
    await confirm(await choose(order_token));
    const refusal = await refusalOf(storefront.addItem(cart, catalogue.fractionalPriceItem));
    await untilOrdered(world, cart);
    const { capturedSum } = await facts.ofCart(cart);
    if (refusal === null || capturedSum !== amount)
      return `refusal ${refusal}, captured ${capturedSum}`;
    return problemUnlessOneOrder(world, cart);
  },
};

/** What a lamp and its parcel cost. */
const AMOUNT = '24.34';
const CANCELED = 'the order was canceled';

const notRefunded: Check = {
  name: 'a refund is refused, says why, and is not recorded',
  run: async (world) => {
    const { admin, facts } = world;
    const cart = await orderedCart(world, 'refunded');
    const ids = await facts.orderOf(cart.id);
    const refund = await refusalOf(
      admin(`/admin/payments/${ids?.payment_id}/refund`, z.unknown(), { amount: 1 }),
    );
    if (!refund?.includes('has no refund')) return `the refund: ${refund}`;
    if ((await facts.ofCart(cart)).refundCount > 0) return 'Medusa has recorded a refund';
    return problemUnlessOneOrder(world, cart);
  },
};

const canceledOrder: Check = {
  name: 'a paid order that is canceled is noted for a refund, and no refund is claimed',
  run: async (world) => {
    const { admin, facts } = world;
    const cart = await orderedCart(world, 'canceled');
    const ids = await facts.orderOf(cart.id);
    await admin(`/admin/orders/${ids?.order_id}/cancel`, z.unknown(), {});
    await untilNoted(world, { intent_id: cart.sessionId, amount: AMOUNT, reason: CANCELED });
    const { captureCount, refundCount } = await facts.ofCart(cart);
    return captureCount === 1 && refundCount === 0
      ? null
      : `${captureCount} captures, ${refundCount} refunds`;
  },
};

const soldOut: Check = {
  name: 'a paid cart waits when its item was sold out, and is completed after the restock',
  run: async (world) => {
    const { catalogue, choose, confirm, facts, medusa, storefront } = world;
    const carts = await Promise.all(
      ['first', 'second'].map((name) => storefront.fillCart(emailOf(name), catalogue.lastItem)),
    );
    for (const cart of carts) {
      const { order_token } = await storefront.startPayment(cart);
      await confirm(await choose(order_token));
    }
    const ordered = async (): Promise<number> =>
      (await Promise.all(carts.map((cart) => facts.ofCart(cart)))).filter(
        ({ linked }) => linked === 1,
      ).length;
    await until(async () => (await ordered()) === 1, 'one of the two orders', MAX_WAIT_MS);
    const isLogged = (): boolean => medusa.output().includes('is paid, and its cart');
    await until(isLogged, 'the log line of the paid cart without an order', MAX_WAIT_MS);
    if ((await ordered()) !== 1) return 'the last item was sold twice';
    await catalogue.restock();
    await until(async () => (await ordered()) === 2, 'the second order', MAX_WAIT_MS);
    await sleep(1000);
    const found = await Promise.all(carts.map((cart) => problemUnlessOneOrder(world, cart)));
    return found.find((each) => each !== null) ?? null;
  },
};

/**
 * Kills Medusa while it waits to write into a table, after it has made the order.
 *
 * @param linked how many orders the cart has then
 */
const killedBefore = (table: string, linked: number): Check => ({
  name: `a cart is one paid order when Medusa is killed before it writes into ${table}`,
  run: async (world) => {
    const { catalogue, choose, confirm, facts, medusa, storefront } = world;
    const cart = await storefront.fillCart(emailOf(`killed-${table}`), catalogue.uncountedItem);
    const { order_token } = await storefront.startPayment(cart);
    const held = await facts.hold(table);
    await confirm(await choose(order_token));
    const isThere = async (): Promise<boolean> =>
      (await held.isAwaited()) && (await facts.ofCart(cart)).linked === linked;
    try {
      await until(isThere, `Medusa to write into ${table}`, MAX_WAIT_MS);
      await medusa.kill();
    } finally {
      await held.release();
    }
    await medusa.start({ OWN_HOOKS: 'true' });
    await untilOrdered(world, cart);
    await settle();
    return problemUnlessOneOrder(world, cart);
  },
});

const placed = z.object({
  order: z.object({ metadata: z.object({ cart_id: z.string() }).partial().nullable() }),
});

export const ownHook: Check = {
  name: 'a hook of the shop runs beside those of the plugin',
  run: async (world) => {
    const { admin, facts, medusa } = world;
    const cart = await orderedCart(world, 'own-hook');
    const ids = await facts.orderOf(cart.id);
    const { order } = await admin(`/admin/orders/${ids?.order_id}?fields=metadata`, placed);
    if (!medusa.output().includes(`the shop looks at ${cart.id}`)) return 'its hook did not run';
    return order.metadata?.cart_id === cart.id ? null : 'the order does not remember its cart';
  },
};

export const accidents: readonly Check[] = [
  completedEarly,
  completedAtOnce,
  paidThenChanged,
  notRefunded,
  canceledOrder,
  soldOut,
  killedBefore('order_cart', 0),
  killedBefore('order_payment_collection', 1),
  killedBefore('cart', 1),
  killedBefore('order_transaction', 1),
];
