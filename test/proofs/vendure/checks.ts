/** What must hold in a Vendure shop. Each check returns what went wrong, or null. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeEvent } from '../../../relay/testing/index.js';
import { fetchOrder } from '../../../widget/shop/index.js';
import { until } from '../../suite/support/wait.js';
import { deliver, type Delivery } from '../events-proxy.js';
import type { Customer, ShopOrder } from './vendure-api.js';
import type { World } from './world.js';

export type Check = { name: string; run(world: World): Promise<string | null> };

const MAX_WAIT_MS = 60_000;
/** Two reconciliations, one every 3 seconds. */
const settle = (): Promise<void> => sleep(7000);

type Started = { order: ShopOrder; token: string };

async function start(customer: Customer): Promise<Started> {
  const order = await customer.arrangePayment();
  const started = await customer.startPayment();
  if ('refusal' in started) throw new Error(started.refusal);
  return { order, token: started.token };
}

const untilPlaced = ({ factsOf }: World, { id, code }: ShopOrder): Promise<void> =>
  until(
    async () => (await factsOf(id)).state === 'PaymentSettled',
    `the order ${code} to be placed`,
    MAX_WAIT_MS,
  );

const untilNoted = ({ refunds }: World, intent: string, reason: string): Promise<void> =>
  until(() => refunds()[intent] === reason, `${intent} to be noted: ${reason}`, MAX_WAIT_MS);

/** @returns null when the order was settled once by one payment; else what Vendure has of it */
async function problemUnlessOnce({ factsOf }: World, { id }: ShopOrder): Promise<string | null> {
  const found = await factsOf(id);
  const placed = found.history.items.filter(({ data }) => data.to === 'PaymentSettled');
  const settled = found.payments.filter(({ state }) => state === 'Settled');
  const isOnce = placed.length === 1 && settled.length === 1 && found.orderPlacedAt !== null;
  return isOnce && found.state === 'PaymentSettled' ? null : JSON.stringify(found);
}

/** @returns null when no payment of the order is settled; else what Vendure has of it */
async function problemUnlessUnpaid({ factsOf }: World, { id }: ShopOrder): Promise<string | null> {
  const found = await factsOf(id);
  const isUnpaid = found.payments.every(({ state }) => state !== 'Settled');
  return isUnpaid && found.orderPlacedAt === null ? null : JSON.stringify(found);
}

const intentOf = async ({ factsOf }: World, { id }: ShopOrder): Promise<string> =>
  (await factsOf(id)).payments.at(-1)?.transactionId ?? '';

const closedTab: Check = {
  name: 'a customer pays and closes the tab, and the event settles the order',
  run: async (world) => {
    const { order, token } = await start(world.customer('closed-tab'));
    await world.confirm(await world.choose(token));
    await untilPlaced(world, order);
    return problemUnlessOnce(world, order);
  },
};

const deliveredTwice: Check = {
  name: 'an event that is delivered five times more settles nothing again',
  run: async (world) => {
    const { order, token } = await start(world.customer('twice'));
    await world.confirm(await world.choose(token));
    await untilPlaced(world, order);
    const intent = await intentOf(world, order);
    const paid = (): Delivery[] =>
      [...world.proxy.sent.values()].filter(
        ({ body }) => body.includes(intent) && body.includes('order.succeeded'),
      );
    // the reconciliation may be faster than the event
    await until(() => paid().length > 0, 'the event to be sent', MAX_WAIT_MS);
    const repeated = paid().flatMap((event) => Array.from({ length: 5 }, () => event));
    const statuses = await Promise.all(repeated.map((event) => deliver(world.hook, event)));
    await settle();
    if (statuses.length !== 5 || statuses.some((status) => status !== 200)) return `${statuses}`;
    return problemUnlessOnce(world, order);
  },
};

const lostEvent: Check = {
  name: 'an order whose events are lost is settled by the reconciliation',
  run: async (world) => {
    world.loseEvents(true);
    const { order, token } = await start(world.customer('lost'));
    await world.confirm(await world.choose(token));
    await untilPlaced(world, order).finally(() => world.loseEvents(false));
    return world.proxy.lost.size === 0 ? 'no event was lost' : problemUnlessOnce(world, order);
  },
};

const killed: Check = {
  name: 'an order that is paid while Vendure is down is settled after its start',
  run: async (world) => {
    const { order, token } = await start(world.customer('killed'));
    const placed = await world.choose(token);
    await world.vendure.kill();
    await world.confirm(placed);
    await world.vendure.start();
    await untilPlaced(world, order);
    await settle();
    return problemUnlessOnce(world, order);
  },
};

const byTheBrowser: Check = {
  name: 'what the browser says settles nothing',
  run: async (world) => {
    const customer = world.customer('browser');
    const order = await customer.arrangePayment();
    const claims = {
      outcome: 'succeeded',
      amount: '0.01',
      transactionId: 'paid',
      state: 'Settled',
    };
    const started = await customer.startPayment(claims);
    if ('refusal' in started) return started.refusal;
    await world.choose(started.token);
    const refused = await customer.goTo('PaymentSettled');
    await settle();
    if (refused === null) return 'the order went to PaymentSettled';
    return problemUnlessUnpaid(world, order);
  },
};

const forged: Check = {
  name: 'events that are forged, old or of an unpaid order settle nothing',
  run: async (world) => {
    const { order, token } = await start(world.customer('forged'));
    await world.choose(token);
    const data = { intent_id: await intentOf(world, order), amount: '24.34' };
    const secret = world.checkout.events_secret;
    const other = `whsec_${Buffer.from('the secret of a stranger').toString('base64')}`;
    const tried = [
      [401, await fakeEvent('order.succeeded', data, { secret: other })],
      [400, await fakeEvent('order.succeeded', data, { secret, at: Date.now() - 3_600_000 })],
      // only somebody who knows the secret can sign this event; then the relay's answer decides
      [500, await fakeEvent('order.succeeded', data, { secret })],
      [413, { headers: {}, body: 'x'.repeat(100_000) }],
    ] as const;
    for (const [expected, event] of tried) {
      const status = await deliver(world.hook, event);
      if (status !== expected) return `the answer is ${status}, and not ${expected}`;
    }
    return problemUnlessUnpaid(world, order);
  },
};

const changedOrder: Check = {
  name: 'a payment of an order that was changed meanwhile is noted for a refund',
  run: async (world) => {
    const customer = world.customer('changed');
    const { order, token } = await start(customer);
    const late = await world.choose(token);
    const intent = await intentOf(world, order);
    const refused = await customer.goTo('AddingItems');
    if (refused !== null) return refused;
    await customer.addLamp();
    await world.confirm(late);
    await untilNoted(world, intent, 'order.late_payment');
    const unpaid = await problemUnlessUnpaid(world, order);
    if (unpaid !== null) return unpaid;
    await customer.goTo('ArrangingPayment');
    const again = await customer.startPayment();
    if ('refusal' in again) return again.refusal;
    await world.confirm(await world.choose(again.token));
    await untilPlaced(world, order);
    return problemUnlessOnce(world, order);
  },
};

const startedTwice: Check = {
  name: 'a second payment asks for the whole amount, and closes the first one',
  run: async (world) => {
    const customer = world.customer('started-twice');
    const { order, token } = await start(customer);
    const former = await world.choose(token);
    const intent = await intentOf(world, order);
    const again = await customer.startPayment();
    if ('refusal' in again) return again.refusal;
    const { payments } = await world.factsOf(order.id);
    const amounts = payments.map(({ amount }) => amount);
    if (amounts.length !== 2 || amounts[0] !== amounts[1]) return JSON.stringify(payments);
    await world.confirm(former);
    await untilNoted(world, intent, 'order.late_payment');
    await world.confirm(await world.choose(again.token));
    await untilPlaced(world, order);
    return problemUnlessOnce(world, order);
  },
};

const paidThenChanged: Check = {
  name: 'an order that is paid cannot be changed, and cannot be paid again',
  run: async (world) => {
    world.loseEvents(true);
    const customer = world.customer('paid-then-changed');
    const { order, token } = await start(customer);
    await world.confirm(await world.choose(token));
    const { relay, secret_key } = world.checkout;
    const intent_id = await intentOf(world, order);
    const isPaid = async (): Promise<boolean> =>
      (await fetchOrder({ relay, secret_key }, { intent_id })).order.outcome === 'succeeded';
    await until(isPaid, 'the relay to know of the payment', MAX_WAIT_MS);
    const answers = await Promise.all([
      customer.goTo('AddingItems'),
      customer.startPayment(),
    ]).catch(
      // the reconciliation was faster, so the session has no order any more
      () => [],
    );
    world.loseEvents(false);
    await untilPlaced(world, order);
    const isRefused = answers.every((answer) =>
      /already_paid|was declined/.test(JSON.stringify(answer)),
    );
    return !isRefused ? JSON.stringify(answers) : problemUnlessOnce(world, order);
  },
};

const paidAgain: Check = {
  name: 'a second payment of one order is noted for a refund',
  run: async (world) => {
    const { order, token } = await start(world.customer('paid-again'));
    const first = await world.choose(token);
    const second = await world.choose(token, 'card', first);
    await world.confirm(second);
    await untilPlaced(world, order);
    await world.confirm(first);
    await untilNoted(world, await intentOf(world, order), 'order.duplicate_payment');
    return problemUnlessOnce(world, order);
  },
};

const notedBefore: Check = {
  name: 'a payment that is noted for a refund settles nothing when it is called the first later',
  run: async (world) => {
    const { order, token } = await start(world.customer('noted-before'));
    const placed = await world.choose(token);
    const intent = await intentOf(world, order);
    const data = { intent_id: intent, request_id: placed.request_id, amount: '24.34' };
    // what the relay told before its ledger was restored from a backup
    const told = await fakeEvent('order.duplicate_payment', data, {
      secret: world.checkout.events_secret,
    });
    await deliver(world.hook, told);
    await untilNoted(world, intent, 'order.duplicate_payment');
    await world.confirm(placed);
    await settle();
    return problemUnlessUnpaid(world, order);
  },
};

const ofModeTest: Check = {
  name: 'a live shop settles nothing for a relay in mode test, and says why',
  run: async (world) => {
    await world.vendure.kill();
    await world.vendure.start({ PAY_LIVE: 'true' });
    const { order, token } = await start(world.customer('of-mode-test'));
    await world.confirm(await world.choose(token));
    await settle();
    const isSaid = /the event \S+ of mode test was not handled/.test(world.vendure.output());
    await world.vendure.kill();
    await world.vendure.start();
    return isSaid ? problemUnlessUnpaid(world, order) : 'no line names the mode';
  },
};

export const checks: readonly Check[] = [
  closedTab,
  deliveredTwice,
  lostEvent,
  killed,
  byTheBrowser,
  forged,
  changedOrder,
  startedTwice,
  paidThenChanged,
  paidAgain,
  notedBefore,
  ofModeTest,
];
