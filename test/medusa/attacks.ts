/** Attacks on the payment provider: each returns what went wrong, or null. */
import { fakeEvent } from '../../relay/testing/index.js';
import { until } from '../support/wait.js';
import {
  emailOf,
  MAX_WAIT_MS,
  orderedCart,
  settle,
  unlessNoOrder,
  unlessOneOrder,
  untilOrdered,
  type Check,
} from './checks.js';
import { deliver } from './events-proxy.js';

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
    return paid.length === 0 ? 'the relay sent no event' : unlessOneOrder(world, cart);
  },
};

const forged: Check = {
  name: 'events that are forged, old or of an unpaid order complete nothing',
  run: async (world) => {
    const { catalogue, checkout, choose, hook, medusa, storefront } = world;
    const cart = await storefront.fillCart(emailOf('forged'), catalogue.lamp);
    const { amount, id, order_token } = await storefront.startPayment(cart);
    await choose(order_token);
    const data = { intent_id: id, amount };
    const secret = checkout.events_secret;
    const other = `whsec_${Buffer.from('the secret of a stranger').toString('base64')}`;
    const events = [
      await fakeEvent('order.succeeded', data, { secret: other }),
      await fakeEvent('order.succeeded', data, { secret, at: Date.now() - 3_600_000 }),
      // only somebody who knows the secret can sign this one: then the relay's answer decides
      await fakeEvent('order.succeeded', data, { secret }),
      await fakeEvent('order.succeeded', { intent_id: 'payses_of-nobody', amount }, { secret }),
      await fakeEvent('order.succeeded', { intent_id: 'payses_OFNOBODY', amount }, { secret }),
    ];
    for (const event of events) await deliver(hook, event);
    await settle();
    for (const code of ['bad_signature', 'too_old'])
      if (!medusa.output().includes(`refused an event: ${code}`)) return `${code} is not logged`;
    return unlessNoOrder(world, cart);
  },
};

const otherToken: Check = {
  name: 'a session cannot be paid with the order of another session',
  run: async (world) => {
    const { catalogue, choose, confirm, storefront } = world;
    const cheap = await storefront.fillCart(emailOf('cheap'), catalogue.wire);
    const { amount, id, order_token } = await storefront.startPayment(cheap);
    const dear = await storefront.fillCart(emailOf('dear'), catalogue.lamp, 3);
    // what the storefront sends beside the provider is stored with the session
    const own = { intent_id: id, session_id: id, amount, currency: 'USD', order_token };
    await storefront.startPayment(dear, own);
    await confirm(await choose(order_token));
    await untilOrdered(world, cheap);
    await storefront.complete(dear);
    await settle();
    return (await unlessOneOrder(world, cheap)) ?? unlessNoOrder(world, dear);
  },
};

const otherAmount: Check = {
  name: 'an order of another amount is noted for a refund, and completes nothing',
  run: async (world) => {
    const { catalogue, choose, confirm, facts, sign, storefront } = world;
    const cart = await storefront.fillCart(emailOf('other-amount'), catalogue.lamp);
    const { id } = await storefront.startPayment(cart);
    const requestId = await choose(await sign(id, '0.01'));
    await confirm(requestId);
    const isNoted = async (): Promise<boolean> =>
      (await facts.refunds()).some((row) => row.request_id === requestId && row.amount === '0.01');
    await until(isNoted, 'the refund to be noted', MAX_WAIT_MS);
    await storefront.complete(cart);
    await settle();
    return unlessNoOrder(world, cart);
  },
};

const withoutSession: Check = {
  name: 'a payment whose cart does not exist is noted, and delays no other',
  run: async (world) => {
    const { choose, confirm, facts, sign } = world;
    const requestId = await choose(await sign('payses_BEFORETHECART', '19.99'));
    await confirm(requestId);
    const cart = await orderedCart(world, 'after-the-unknown');
    const isNoted = async (): Promise<boolean> =>
      (await facts.refunds()).some(({ request_id }) => request_id === requestId);
    await until(isNoted, 'the refund to be noted', MAX_WAIT_MS);
    return unlessOneOrder(world, cart);
  },
};

const changedCart: Check = {
  name: 'a payment of a cart that was changed meanwhile is noted once, for a refund',
  run: async (world) => {
    const { catalogue, choose, confirm, facts, storefront } = world;
    const cart = await storefront.fillCart(emailOf('changed'), catalogue.lamp);
    const former = await storefront.startPayment(cart);
    const late = await choose(former.order_token);
    await storefront.addItem(cart, catalogue.wire);
    await confirm(late);
    const notes = async (): Promise<number> =>
      (await facts.refunds()).filter(({ request_id }) => request_id === late).length;
    await until(async () => (await notes()) > 0, 'the refund to be noted', MAX_WAIT_MS);
    const before = await unlessNoOrder(world, cart);
    if (before !== null) return before;
    const session = await storefront.startPayment(cart);
    await confirm(await choose(session.order_token));
    await untilOrdered(world, cart);
    await settle();
    if ((await notes()) !== 1) return `noted ${await notes()} times`;
    return unlessOneOrder(world, cart);
  },
};

export const attacks: readonly Check[] = [
  replayed,
  forged,
  otherToken,
  otherAmount,
  withoutSession,
  changedCart,
];
