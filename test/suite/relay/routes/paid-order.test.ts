/** Every answer names the order that paid the intent, also after another order was paid too. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { verbNamed, verbs } from '../../../../relay/operator/verbs.js';
import { until } from '../../support/world.js';
import { codeOf, createShop } from './shop.js';

type Attempt = { request_id: string; outcome: string; paid_by?: string };

it('names the order that paid first, when an earlier order is paid after it', async () => {
  const shop = await createShop();
  const order_token = await shop.token('order-001');
  const attempt = crypto.randomUUID();
  const pay = async (more: object = {}) => {
    const body = { order_token, attempt, option: 'qr', ...more };
    const { order } = (await shop.world.ask('/v1/pay', body)).body;
    assert.ok(order);
    return order;
  };
  const replacing = ({ order_key, request_id }: Awaited<ReturnType<typeof pay>>) =>
    pay({ replaces: { order_key, request_id } });
  const first = await pay();
  const second = await replacing(first);
  const third = await replacing(second);
  for (const { request_id } of [second, first]) {
    const isPaid = async (): Promise<boolean> => {
      await shop.receivedTypes();
      const { orders } = (await shop.query('order-001')).body as { orders: Attempt[] };
      return orders.some((one) => one.request_id === request_id && one.outcome === 'succeeded');
    };
    await shop.customerPays(request_id);
    await until(isPaid, 'the payment to be known');
  }
  await shop.receivedTypes();
  const duplicate = shop.received.find(({ type }) => type === 'order.duplicate_payment');
  assert.equal(duplicate?.data.first_request_id, second.request_id);

  const checkout = await shop.world.ask('/v1/checkout', { order_token, attempt });
  const backend = await shop.query('order-001');
  const attempts = backend.body.orders as Attempt[];
  const named = {
    pay: (await pay()).request_id,
    checkout: checkout.body.order?.request_id,
    backend: backend.body.order?.request_id,
    paid_by: attempts.find(({ request_id }) => request_id === third.request_id)?.paid_by,
  };
  const { request_id: paid } = second;
  assert.deepEqual(named, { pay: paid, checkout: paid, backend: paid, paid_by: paid });
});

it('shows an order that is paid in review before a later one, until a person decides', async () => {
  const shop = await createShop();
  const { world } = shop;
  const order_token = await shop.token('order-001');
  const pay = async (replaces?: object) => {
    const attempt = crypto.randomUUID();
    const { body } = await world.ask('/v1/pay', { order_token, attempt, option: 'qr', replaces });
    assert.ok(body.order);
    return body.order;
  };
  const first = await pay();
  const second = await pay({ request_id: first.request_id, order_key: first.order_key });
  Object.assign(world.sandbox.orders.byRequest(first.request_id)?.fields ?? {}, {
    amount: '12.49',
  });
  await shop.customerPays(first.request_id);
  const ofBackend = async () => (await shop.query('order-001')).body.order;
  await until(async () => (await ofBackend())?.outcome === 'review', 'the review');

  const page = async ({ order_key, request_id }: typeof first) =>
    (await world.ask('/v1/query', { order_key, request_id })).body.order;
  const { request_id, order_key } = second;
  const shown = [
    await page(first),
    (await world.ask('/v1/checkout', { order_token })).body.order,
    (await world.ask('/v1/checkout', { resume: { request_id, order_key } })).body.order,
    await pay(),
    await pay({ request_id, order_key }),
    await ofBackend(),
  ];
  for (const order of shown)
    assert.deepEqual(
      [order?.request_id, order?.outcome, order?.next_action, order?.replaced],
      [first.request_id, 'review', null, undefined],
    );
  const former = await page(second);
  assert.deepEqual(
    [former?.outcome, former?.next_action, former?.replaced],
    ['pending', null, true],
  );
  assert.equal(world.pays().length, 2);

  const decision = { id: first.request_id, as: 'failed', note: 'paid back' };
  await verbs['orders/resolve'].run(world.relay.verbDeps(), decision, 'Ann');
  const { body } = await world.ask('/v1/checkout', { order_token });
  assert.equal(body.order?.request_id, second.request_id);
  assert.equal(body.order?.next_action?.kind, 'scan_qr');
});

it('delivers no order that is paid after a person resolved it as failed', async () => {
  const shop = await createShop();
  const expect = { amount: '12.50', currency: 'USD' };
  const { request_id = '' } = (await shop.pay('order-001')).body.order ?? {};
  const order = shop.world.sandbox.orders.byRequest(request_id);
  assert.ok(order);
  const outcome = async () => (await shop.query('order-001')).body.order?.outcome;
  const UNMAPPED = 77;
  shop.world.sandbox.orders.setStatus(order, UNMAPPED);
  await until(async () => (await outcome()) === 'unmapped', 'the unmapped status');
  const decision = { id: request_id, as: 'failed', note: 'paid back' };
  await verbs['orders/resolve'].run(shop.world.relay.verbDeps(), decision, 'Ann');
  const failed = await shop.query('order-001', expect);
  assert.deepEqual([failed.status, failed.body.order?.outcome], [200, 'failed']);

  await shop.customerPays(request_id);
  await until(async () => (await outcome()) === 'succeeded', 'the payment');
  for (const named of [{ intent_id: 'order-001' }, { request_id }]) {
    const { body, status } = await shop.ask('/v1/query', { ...named, expect });
    const { code, field } = body.error as Record<string, unknown>;
    assert.deepEqual([status, code, field], [409, 'not_as_expected', 'resolved_as']);
  }
  const closed = await shop.ask('/v1/close', { intent_id: 'order-001' });
  assert.equal(codeOf(closed), 'already_paid');
  await shop.receivedTypes();
  const { data, type } = shop.received.at(-1) ?? {};
  assert.deepEqual([type, data?.resolved_as], ['order.succeeded', 'failed']);

  const verb = async (name: string, input: object): Promise<object> => {
    const found = verbNamed(name);
    assert.ok(found);
    return found.run(shop.world.relay.verbDeps(), input, 'Ann');
  };
  shop.world.sandbox.orders.setStatus(order, UNMAPPED);
  await verb('orders/check', { id: request_id });
  await verb('orders/resolve', { id: request_id, as: 'succeeded', note: 'looked' });
  const reviewed = await shop.query('order-001', expect);
  assert.equal(codeOf(reviewed), 'not_as_expected');
  const { orders } = (await verb('orders/list', { pay_back: true })) as { orders: object[] };
  assert.equal(orders.length, 1);
  await shop.receivedTypes();
  const ended = shop.received.at(-1);
  assert.deepEqual([ended?.type, ended?.data.resolved_as], ['order.resolved', 'failed']);
});

it('delivers the order that is paid after one that is to be paid back', async () => {
  const shop = await createShop();
  const expect = { amount: '12.50', currency: 'USD' };
  const order_token = await shop.token('order-001');
  const attempt = crypto.randomUUID();
  const pay = async (replaces?: object) => {
    const body = { order_token, attempt, option: 'qr', replaces };
    const { order } = (await shop.world.ask('/v1/pay', body)).body;
    assert.ok(order);
    return order;
  };
  const outcome = async (id: string) =>
    (await shop.ask('/v1/query', { request_id: id })).body.order?.outcome;
  const first = await pay();
  const order = shop.world.sandbox.orders.byRequest(first.request_id);
  assert.ok(order);
  shop.world.sandbox.orders.setStatus(order, 77);
  await until(async () => (await outcome(first.request_id)) === 'unmapped', 'the unmapped status');
  const decision = { id: first.request_id, as: 'failed', note: 'paid back' };
  await verbs['orders/resolve'].run(shop.world.relay.verbDeps(), decision, 'Ann');
  const second = await pay({ request_id: first.request_id, order_key: first.order_key });
  for (const { request_id } of [first, second]) {
    await shop.customerPays(request_id);
    await until(async () => (await outcome(request_id)) === 'succeeded', 'the payment');
  }

  await shop.receivedTypes();
  const told = shop.received.filter(({ type }) => type === 'order.succeeded');
  assert.deepEqual(
    told.map(({ data }) => [data.request_id, data.resolved_as]),
    [
      [first.request_id, 'failed'],
      [second.request_id, undefined],
    ],
  );
  const asked = await shop.query('order-001', expect);
  assert.deepEqual([asked.status, asked.body.order?.request_id], [200, second.request_id]);
});

for (const mode of ['test', 'live'] as const)
  it(`tells the backend of a relay in mode ${mode} whether money moves`, async () => {
    const shop = await createShop({ config: { mode } });
    await shop.pay('order-001');
    const { order } = (await shop.query('order-001')).body;
    const { orders } = (await shop.ask('/v1/orders', {})).body as { orders: object[] };
    for (const each of [order, ...orders])
      assert.equal((each as { livemode?: boolean } | undefined)?.livemode, mode === 'live');
  });
