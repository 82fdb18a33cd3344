/** The requests of a shop's backend with `pay-checkout/shop`, and the codes of their refusals. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { LoadRender } from '../../../../relay/contract/render.js';
import {
  checkoutChild,
  closeIntent,
  createOrderToken,
  createPayLink,
  fetchOrder,
  RelayError,
  renderCheckout,
  revokePayLink,
  type RelayAccess,
} from '../../../../widget/shop/index.js';
import { createShop, type Shop } from '../../relay/routes/shop.js';
import { buildRenderer } from '../../support/renderer.js';
import { SECRETS } from '../../support/world.js';

let renderer: { loadRender: LoadRender; remove: () => void };
before(async () => (renderer = await buildRenderer()));
after(() => renderer.remove());

async function open(): Promise<{ shop: Shop; access: RelayAccess }> {
  const shop = await createShop({ loadRender: renderer.loadRender });
  const access = {
    relay: 'https://shop.example/',
    secret_key: SECRETS.SECRET ?? '',
    fetch: (url: string, init: RequestInit) => shop.world.relay.fetch(new Request(url, init)),
  };
  return { shop, access };
}

/** The code and the status of the failure. */
const failure = (request: Promise<unknown>): Promise<[string, number]> =>
  request.then(
    () => assert.fail('it was answered'),
    (error: unknown) => {
      assert.ok(error instanceof RelayError, String(error));
      return [error.code, error.status];
    },
  );

describe('the requests of a shop’s backend', () => {
  it('closes an intent, and does not close a paid intent', async () => {
    const { access, shop } = await open();
    const { closed_at, intent_id } = await closeIntent(access, {
      intent_id: 'order-001',
      reason: 'sold out',
    });
    assert.equal(intent_id, 'order-001');
    assert.ok(Date.parse(closed_at) > 0);
    assert.equal((await shop.pay('order-001')).status, 409);

    const { body } = await shop.pay('order-002');
    await shop.customerPays(body.order?.request_id ?? '');
    assert.deepEqual(await failure(closeIntent(access, { intent_id: 'order-002' })), [
      'already_paid',
      409,
    ]);
  });

  it('requests a token that the element pays with, and names a wrong field', async () => {
    const { access, shop } = await open();
    const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c' };
    const { expires_at, order_token } = await createOrderToken(access, {
      ...sale,
      jti: 'order-007',
    });
    assert.ok(Date.parse(expires_at) > Date.now());
    const attempt = crypto.randomUUID();
    const { body } = await shop.world.ask('/v1/pay', { order_token, attempt, option: 'qr' });
    assert.deepEqual([body.order?.amount, body.order?.outcome], ['12.50', 'pending']);
    const wrong = createOrderToken(access, { ...sale, amount: '12,50' });
    assert.deepEqual(await failure(wrong), ['invalid_request', 400]);
  });

  it('makes a pay link, and revokes it', async () => {
    const { access, shop } = await open();
    const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree' };
    const link = await createPayLink(access, { ...sale, customer_ref_id: 'c-1', expires_in: 60 });
    const [path = ''] = /\/p\/\w+$/.exec(link.url) ?? [];
    const page = (): Promise<Response> =>
      shop.world.relay.fetch(new Request(`https://shop.example${path}`));
    assert.equal((await page()).status, 200);
    const { pay_link_id } = await revokePayLink(access, link);
    assert.equal(pay_link_id, link.pay_link_id);
    assert.equal((await page()).status, 410);
    const tooLong = { ...sale, customer_ref_id: 'c-1', expires_in: 91 * 86_400 };
    assert.deepEqual(await failure(createPayLink(access, tooLong)), ['invalid_request', 400]);
  });

  it('renders the card of an order, and names the reason when it cannot', async () => {
    const { access, shop } = await open();
    const order_token = await shop.token('order-001');
    const html = await renderCheckout(access, { order_token, option: 'qr' });
    assert.match(html, /^<pay-checkout[^]*<svg[^]*<\/pay-checkout>/);
    const { order } = await fetchOrder(access, { intent_id: 'order-001' });
    assert.equal(order.outcome, 'pending');
    assert.deepEqual(await failure(renderCheckout(access, { order_token: 'x' })), [
      'token_invalid',
      401,
    ]);
  });

  it('writes the first answer as a child of the element, unless there is an order', async () => {
    const { access, shop } = await open();
    const sale = { product_name: 'A tree </script><script>alert(1)</script>' };
    const order_token = await shop.token('order-001', sale);
    const child = await checkoutChild(access, { order_token });
    const [, json = ''] = /^<script type="application\/json">([^<]*)<\/script>$/.exec(child) ?? [];
    const { answer, intent } = JSON.parse(json);
    assert.deepEqual(intent, { order_token });
    assert.equal(answer.checkout.product_name, sale.product_name);
    await shop.pay('order-001', sale);
    assert.equal(await checkoutChild(access, { order_token }), '');
  });

  it('gives up the first answer when the relay does not answer in time', async () => {
    const access: RelayAccess = {
      relay: 'https://shop.example/pay',
      secret_key: 'x',
      fetch: (_url, { signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    };
    // the signal's timer alone does not keep a process alive
    const alive = setInterval(() => {}, 1000);
    const child = checkoutChild(access, { order_token: 'x' });
    assert.deepEqual(await failure(child), ['no_answer', 0]);
    clearInterval(alive);
  });

  it('names a relay that is no URL of http', async () => {
    for (const relay of ['localhost:8787', '/pay', ''])
      await assert.rejects(closeIntent({ relay, secret_key: 'x' }, { intent_id: 'order-001' }), {
        code: 'no_answer',
        message: '/v1/close: relay: expected an http(s) URL',
      });
  });

  it('refuses a page of a proxy as an answer of the relay', async () => {
    for (const [text, status] of [
      ['<html>Bad gateway</html>', 502],
      ['<html>Sign in</html>', 200],
      ['null', 200],
      ['{"status":"ok"}', 200],
      ['', 200],
      ['{"error":"Not Found"}', 404],
      ['{"error":{"message":"no such page"}}', 404],
    ] as const) {
      const access: RelayAccess = {
        relay: 'https://user:word@shop.example/pay/',
        secret_key: 'x',
        fetch: async () => new Response(text, { status }),
      };
      await assert.rejects(closeIntent(access, { intent_id: 'order-001' }), {
        message: `/v1/close: HTTP ${status} from https://shop.example/pay, and no answer of a relay`,
      });
      const expected = ['no_answer', status];
      assert.deepEqual(await failure(closeIntent(access, { intent_id: 'order-001' })), expected);
      assert.deepEqual(await failure(renderCheckout(access, { order_token: 'x' })), expected);
    }
  });
});
