/** How the Medusa plugin reads events and orders. `npm run medusa` runs all of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fakeEvent, TEST_SECRETS } from '../../../../relay/testing/index.js';
import { needsRefund, verifyEvent } from '../../../../widget/shop/index.js';
import {
  actionOf,
  currencyOf,
  isSession,
  placesOf,
  statusOf,
} from '../../../../widget/medusa/mapping.js';
import { createShop } from '../../relay/routes/shop.js';
import { until } from '../../support/world.js';

const SESSION = 'payses_01M825K137AW317XGE4G1SB4HH';

/** The order as the provider gets it from the relay. */
async function orderOf(shop: Awaited<ReturnType<typeof createShop>>) {
  const { order } = (await shop.query(SESSION)).body;
  assert.ok(order);
  return order;
}

describe('the Medusa plugin', () => {
  it('completes a cart for order.succeeded, and for no other event', async () => {
    for (const [type, action] of [
      ['order.created', 'not_supported'],
      ['order.succeeded', 'captured'],
      ['order.failed', 'failed'],
      ['order.expired', 'failed'],
      ['order.unmapped_status', 'not_supported'],
      ['order.review', 'not_supported'],
      ['order.resolved', 'not_supported'],
      ['order.duplicate_payment', 'not_supported'],
      ['order.late_payment', 'not_supported'],
      ['order.unpaid', 'not_supported'],
    ] as const) {
      const { body, headers } = await fakeEvent(type, { intent_id: SESSION, amount: '5.36' });
      const event = await verifyEvent(body, headers, TEST_SECRETS.SHOP_EVENTS_SECRET);
      const found = actionOf(event);
      assert.equal(found.action, action, type);
      if ('data' in found)
        assert.deepEqual(found.data, { session_id: SESSION, amount: '5.36' }, type);
    }
  });

  it('ignores an event whose intent is no payment session of Medusa', () => {
    for (const intent_id of ['order-10042', 'web.payses_1', 'payses_', 'payses_1 or 1=1', '']) {
      assert.deepEqual(actionOf({ type: 'order.succeeded', data: { intent_id, amount: '1' } }), {
        action: 'not_supported',
      });
      assert.equal(isSession(intent_id), false, intent_id);
    }
    assert.ok(isSession(SESSION));
  });

  it('reads pending before the payment and captured after it from the relay’s orders', async () => {
    const shop = await createShop();
    const { body } = await shop.pay(SESSION);
    assert.equal(statusOf(await orderOf(shop)), 'pending');
    await shop.customerPays(body.order?.request_id ?? '');
    await until(async () => (await orderOf(shop)).outcome === 'succeeded', 'the payment');
    assert.equal(statusOf(await orderOf(shop)), 'captured');
    await shop.world.relay.close();
  });

  it('reads canceled from a closed intent, and refunds a payment that comes later', async () => {
    const shop = await createShop();
    const { body } = await shop.pay(SESSION);
    await shop.ask('/v1/close', { intent_id: SESSION });
    await shop.customerPays(body.order?.request_id ?? '');
    const isPaid = async (): Promise<boolean> =>
      (await shop.receivedTypes()).includes('order.late_payment');
    await until(isPaid, 'the late payment');
    assert.equal(statusOf(await orderOf(shop)), 'canceled');
    const events = shop.received.map(({ data, type }) => ({
      type,
      data: {
        intent_id: String(data.intent_id),
        request_id: String(data.request_id),
        amount: String(data.amount),
      },
    }));
    assert.deepEqual(
      events.filter((event) => needsRefund(event)).map(({ type }) => type),
      ['order.late_payment'],
    );
    assert.ok(events.every((event) => actionOf(event).action !== 'captured'));
    await shop.world.relay.close();
  });

  it('keeps a failed order pending, because Medusa completes no cart after an error', () => {
    for (const outcome of ['pending', 'confirming', 'failed', 'expired', 'unmapped', 'review'])
      assert.equal(statusOf({ outcome }), 'pending', outcome);
    const resolved_as = 'failed';
    assert.equal(statusOf({ outcome: 'succeeded', resolved_as }), 'pending');
    const data = { intent_id: 'payses_1', amount: '1', resolved_as };
    assert.equal(actionOf({ type: 'order.succeeded', data }).action, 'not_supported');
  });

  it('knows how many decimal places a currency has', () => {
    const places = ['usd', 'jpy', 'bhd', 'usdt'].map((code) => placesOf(currencyOf(code)));
    assert.deepEqual(places, [2, 0, 3, undefined]);
  });
});
