/** Attacks on the payment provider. Each check returns what went wrong, or null. */
import { fakeEvent } from '../../../relay/testing/index.js';
import {
  emailOf,
  orderedCart,
  settle,
  untilNoted,
  problemUnlessNoOrder,
  problemUnlessOneOrder,
  untilOrdered,
  type Check,
} from './checks.js';
import { deliver } from '../events-proxy.js';

const replayed: Check = {
  name: 'an event that is delivered five times more changes nothing',
  run: async (world) => {
    const cart = await orderedCart(world, 'replayed');
    const paid = [...world.proxy.sent.values()].filter(
      ({ body }) => body.includes(cart.sessionId) && body.includes('order.succeeded'),
    );
    for (const delivery of paid)
      for (let count = 0; count < 5; count++) await deliver(world.hook, delivery);
    await settle();
    return paid.length === 0 ? 'the relay sent no event' : problemUnlessOneOrder(world, cart);
  },
};

const forged: Check = {
  name: 'events that are forged, old or of an unpaid order complete nothing',
  run: async (world) => {
    const { catalogue, checkout, choose, hook, medusa, storefront } = world;
    const cart = await storefront.fillCart(emailOf('forged'), catalogue.uncountedItem);
    const { amount, id, order_token } = await storefront.startPayment(cart);
    await choose(order_token);
    const data = { intent_id: id, amount };
    const secret = checkout.events_secret;
    const other = `whsec_${Buffer.from('the secret of a stranger').toString('base64')}`;
    const events = [
      await fakeEvent('order.succeeded', data, { secret: other }),
      await fakeEvent('order.succeeded', data, { secret, at: Date.now() - 3_600_000 }),
      // only somebody who knows the secret can sign this event; then the relay's answer decides
      await fakeEvent('order.succeeded', data, { secret }),
      await fakeEvent('order.succeeded', { intent_id: 'payses_of-nobody', amount }, { secret }),
      await fakeEvent('order.succeeded', { intent_id: 'payses_OFNOBODY', amount }, { secret }),
    ];
    for (const event of events) await deliver(hook, event);
    await settle();
    for (const code of ['bad_signature', 'too_old'])
      if (!medusa.output().includes(`refused an event: ${code}`)) return `${code} is not logged`;
    return problemUnlessNoOrder(world, cart);
  },
};

const otherToken: Check = {
  name: 'a session cannot be paid with the order of another session',
  run: async (world) => {
    const { catalogue, choose, confirm, storefront } = world;
    const cheap = await storefront.fillCart(emailOf('cheap'), catalogue.fractionalPriceItem);
    const { amount, id, order_token } = await storefront.startPayment(cheap);
    const expensive = await storefront.fillCart(emailOf('dear'), catalogue.uncountedItem, 3);
    // what the storefront sends beside the provider is stored with the session
    const own = { intent_id: id, session_id: id, amount, currency: 'USD', order_token };
    await storefront.startPayment(expensive, own);
    await confirm(await choose(order_token));
    await untilOrdered(world, cheap);
    await storefront.complete(expensive);
    await settle();
    return (await problemUnlessOneOrder(world, cheap)) ?? problemUnlessNoOrder(world, expensive);
  },
};

const otherAmount: Check = {
  name: 'an order of another amount is noted for a refund, and completes nothing',
  run: async (world) => {
    const { catalogue, choose, confirm, sign, storefront } = world;
    const cart = await storefront.fillCart(emailOf('other-amount'), catalogue.uncountedItem);
    const { id } = await storefront.startPayment(cart);
    const order = await choose(await sign(id, '0.01'));
    await confirm(order);
    await untilNoted(world, {
      request_id: order.request_id,
      amount: '0.01',
      reason: 'not_as_expected',
    });
    await storefront.complete(cart);
    await settle();
    return problemUnlessNoOrder(world, cart);
  },
};

const withoutSession: Check = {
  name: 'a payment whose cart does not exist is noted, and delays no other payment',
  run: async (world) => {
    const { choose, confirm, sign } = world;
    const order = await choose(await sign('payses_BEFORETHECART', '19.99'));
    await confirm(order);
    const cart = await orderedCart(world, 'after-the-unknown');
    await untilNoted(world, {
      request_id: order.request_id,
      amount: '19.99',
      reason: 'no payment session',
    });
    return problemUnlessOneOrder(world, cart);
  },
};

const changedCart: Check = {
  name: 'a payment of a cart that was changed meanwhile is noted for a refund',
  run: async (world) => {
    const { catalogue, choose, confirm, storefront } = world;
    const cart = await storefront.fillCart(emailOf('changed'), catalogue.uncountedItem);
    const former = await storefront.startPayment(cart);
    const late = await choose(former.order_token);
    await storefront.addItem(cart, catalogue.fractionalPriceItem);
    await confirm(late);
    await untilNoted(world, {
      request_id: late.request_id,
      amount: former.amount,
      reason: 'order.late_payment',
    });
    const before = await problemUnlessNoOrder(world, cart);
    if (before !== null) return before;
    const session = await storefront.startPayment(cart);
    await confirm(await choose(session.order_token));
    await untilOrdered(world, cart);
    await settle();
    return problemUnlessOneOrder(world, cart);
  },
};

const paidTwice: Check = {
  name: 'a second payment of one cart is noted for a refund, and the cart is one order',
  run: async (world) => {
    const { catalogue, choose, confirm, storefront } = world;
    const cart = await storefront.fillCart(emailOf('twice'), catalogue.uncountedItem);
    const { amount, order_token } = await storefront.startPayment(cart);
    const first = await choose(order_token);
    const second = await choose(order_token, 'card', first);
    await confirm(second);
    await untilOrdered(world, cart);
    await confirm(first);
    await untilNoted(world, {
      request_id: first.request_id,
      amount,
      reason: 'order.duplicate_payment',
    });
    await settle();
    return problemUnlessOneOrder(world, cart);
  },
};

export const attacks: readonly Check[] = [
  replayed,
  forged,
  otherToken,
  otherAmount,
  withoutSession,
  changedCart,
  paidTwice,
];
