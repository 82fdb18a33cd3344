/** The exports of `pay-checkout-relay/testing`, which a shop uses in its tests. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { fakeEvent, startTestCheckout, TEST_SECRETS } from '../../../../relay/testing/index.js';
import {
  fetchOrder,
  signOrderToken,
  verifyEvent,
  type ShopEvent,
} from '../../../../widget/shop/index.js';
import { until } from '../../support/world.js';

const servers: Server[] = [];
after(() => servers.forEach((server) => server.close()));

/**
 * Starts a shop's webhook.
 *
 * @returns its URL, and the events that it has received
 */
async function startHook(secret: string): Promise<{ url: string; events: ShopEvent[] }> {
  const events: ShopEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void verifyEvent(Buffer.concat(chunks), request.headers, secret).then((event) => {
        events.push(event);
        response.end();
      });
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`, events };
}

describe('fakeEvent', () => {
  it('refuses a type that no relay sends', () =>
    assert.rejects(fakeEvent('order.suceeded' as 'order.succeeded'), {
      message: /^order.suceeded: expected order.created, order.succeeded, /,
    }));

  it('makes fake events of several types that verifyEvent accepts', async () => {
    for (const type of ['order.created', 'order.succeeded', 'order.review'] as const) {
      const { body, headers, id } = await fakeEvent(type, { intent_id: 'order-7' });
      const event = await verifyEvent(body, headers, TEST_SECRETS.SHOP_EVENTS_SECRET);
      assert.deepEqual([event.id, event.type, event.data.intent_id], [id, type, 'order-7']);
    }
    const review = JSON.parse((await fakeEvent('order.review')).body) as ShopEvent;
    assert.equal(review.data.review_reason, 'amount_mismatch');
  });

  it('makes the fields that events of the relay have, about one order', async () => {
    const dataOf = async (type: 'order.created' | 'order.succeeded') =>
      (JSON.parse((await fakeEvent(type, { amount: '5.00' })).body) as ShopEvent).data;
    const [created, succeeded] = [await dataOf('order.created'), await dataOf('order.succeeded')];
    assert.deepEqual([succeeded.echoed_amount, succeeded.echoed_currency], ['5.00', 'USD']);
    assert.deepEqual(
      [created.request_id, created.order_no],
      [succeeded.request_id, succeeded.order_no],
    );
    assert.deepEqual([created.sequence, succeeded.sequence], [1, 2]);
  });

  it('uses the secret, the time and the id that fakeEvent is given', async () => {
    const secret = 'the-secret-of-another-shop';
    const now = Date.now() - 86_400_000;
    const fake = await fakeEvent('order.failed', {}, { secret, id: 'evt_7', at: now });
    const request = fake.request('https://shop.example/hooks');
    const body = await request.text();
    const event = await verifyEvent(body, request.headers, secret, { now });
    assert.deepEqual([request.method, event.id], ['POST', 'evt_7']);
    await assert.rejects(verifyEvent(body, request.headers, secret), { code: 'too_old' });
    const own = TEST_SECRETS.SHOP_EVENTS_SECRET;
    await assert.rejects(verifyEvent(body, request.headers, own, { now }), {
      code: 'bad_signature',
    });
  });
});

describe('startTestCheckout', () => {
  it('sends order.succeeded to the shop when the phone of a test checkout confirms', async () => {
    const hook = await startHook(TEST_SECRETS.SHOP_EVENTS_SECRET);
    const checkout = await startTestCheckout({
      origins: ['http://localhost:3000'],
      events_url: hook.url,
    });
    await assert.rejects(checkout.customerPhone.confirm(), /has no order/);
    const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
    const order_token = await signOrderToken(
      { aud: checkout.relay, jti: 'order-10042', customer_ref_id: 'c', ...sale },
      checkout.order_token_key,
    );
    const answer = await fetch(`${checkout.relay}/v1/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://localhost:3000' },
      body: JSON.stringify({ order_token, attempt: crypto.randomUUID(), option: 'sbp' }),
    });
    assert.equal(answer.status, 200, await answer.text());
    await checkout.customerPhone.confirm();
    await until(
      () => hook.events.some(({ type }) => type === 'order.succeeded'),
      'the event of the payment',
    );
    const { order } = await fetchOrder(checkout, { intent_id: 'order-10042' });
    assert.equal(order.outcome, 'succeeded');
    await checkout.close();
  });

  it('starts a test checkout with another configuration, and rejects a wrong one', async () => {
    const config = {
      options: [{ id: 'card', label: 'Card', payment_method: 'on_line' as const }],
      service: { notify_ack: 'SUCCESS' },
    };
    const origins = ['http://localhost:3000'];
    const checkout = await startTestCheckout({ origins, config });
    const signal = await fetch(`${checkout.relay}/v1/notify/nothing`, { method: 'POST' });
    assert.equal(await signal.text(), 'SUCCESS');
    const access = { aud: checkout.relay, customer_ref_id: 'c', product_name: 'A tree' };
    const order_token = await signOrderToken(
      { ...access, jti: 'order-10043', amount: '12.50', currency: 'USD' },
      checkout.order_token_key,
    );
    const paid = await fetch(`${checkout.relay}/v1/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'http://localhost:3000' },
      body: JSON.stringify({ order_token, option: 'card', attempt: crypto.randomUUID() }),
    });
    assert.equal(paid.status, 200, 'the relay still asks the sandbox');
    await checkout.close();
    const wrong = { origins, config: { limits: { per_ip_per_minute: 0 } } };
    await assert.rejects(startTestCheckout(wrong), /per_ip_per_minute/);
  });
});
