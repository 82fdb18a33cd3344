/** Every answer names the order that paid the intent, also after another order was paid too. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { until } from '../../support/world.js';
import { createShop } from './shop.js';

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

for (const mode of ['test', 'live'] as const)
  it(`tells the backend of a relay in mode ${mode} whether money moves`, async () => {
    const shop = await createShop({ config: { mode } });
    await shop.pay('order-001');
    const { order } = (await shop.query('order-001')).body;
    const { orders } = (await shop.ask('/v1/orders', {})).body as { orders: object[] };
    for (const each of [order, ...orders])
      assert.equal((each as { livemode?: boolean } | undefined)?.livemode, mode === 'live');
  });
