/** The relay’s contract over HTTP, the same on every runtime. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { endpoints } from '../../../relay/contract/endpoints.js';
import { until } from '../../suite/support/wait.js';
import { openIntent } from '../../suite/support/world.js';
import { bearer, ORIGIN, runtimeName, startWorld, type World } from './world.js';
import { backendOrder, codeOf, newPay, pay, paysOf, read, setStatus } from './sale.js';

const PARALLEL = 20;
/** Longer than a page waits here, and shorter than the relay waits for the service. */
const SLOW_MS = 600;

describe(`the relay on ${runtimeName}`, () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  it('offers the ways to pay to a page of the shop', async () => {
    const answer = await world.ask('/v1/checkout', openIntent, { origin: ORIGIN });
    const { checkout } = read(endpoints.checkout.response, answer);
    assert.deepEqual([checkout.amount, checkout.currency], ['12.50', 'USD']);
    assert.ok(checkout.options.some(({ id }) => id === 'qr'));
    assert.equal(answer.headers.get('access-control-allow-origin'), ORIGIN);
  });

  it('places one order for an attempt that is sent many times at once', async () => {
    const fields = newPay();
    const all = Array.from({ length: PARALLEL }, () => pay(world, fields));
    const ids = new Set((await Promise.all(all)).map(({ request_id }) => request_id));
    assert.equal(ids.size, 1);
    const [id = ''] = ids;
    assert.equal(paysOf(world, id), 1);
    const order = await pay(world, fields);
    assert.equal(order.next_action?.kind, 'scan_qr');
    assert.equal(paysOf(world, id), 1);
  });

  it('answers a waiting page when the customer has paid', async () => {
    const { order_key, request_id, status } = await pay(world);
    const waiting = world.ask('/v1/query', {
      request_id,
      order_key,
      known_status: status,
      wait: 20,
    });
    setStatus(world, request_id);
    const { order } = read(endpoints.pay.response, await waiting);
    assert.equal(order.outcome, 'succeeded');
  });

  it('tells the backend of an order, and refuses another price and another key', async () => {
    const { intent_id, request_id } = await pay(world);
    const order = await backendOrder(world, request_id);
    assert.deepEqual([order.mode, order.intent_id], ['open', intent_id]);
    const expect = { amount: '1.00', currency: 'USD' };
    const other = await world.ask('/v1/query', { intent_id, expect }, bearer);
    assert.deepEqual([other.status, codeOf(other)], [409, 'not_as_expected']);
    const foreign = { authorization: 'Bearer another-key' };
    assert.equal((await world.ask('/v1/query', { intent_id }, foreign)).status, 401);
  });

  it('answers on the same connection after requests that it refuses unread', async () => {
    for (let round = 0; round < 100; round++) {
      assert.equal((await world.ask('/v1/nothing', openIntent)).status, 404);
      assert.equal((await world.ask('/v1/checkout', openIntent)).status, 200);
    }
  });

  it('shows a customer the same deposit address again', async () => {
    const deposit = async (): Promise<unknown> =>
      read(
        endpoints.depositAddress.response,
        await world.ask('/v1/deposit-address', { currency: 'XRP', customer_ref_id: 'c-1' }),
      ).deposit_address;
    const first = await deposit();
    assert.deepEqual(await deposit(), first);
  });

  it('lists orders and events in pages', async () => {
    const placed = [await pay(world), await pay(world)].map(({ request_id }) => request_id);
    const found: string[] = [];
    for (let cursor: string | undefined, more = true; more;) {
      const answer = await world.ask('/v1/orders', { limit: 2, ...(cursor && { cursor }) }, bearer);
      const page = read(endpoints.orders.response, answer);
      found.push(...page.orders.map(({ request_id }) => request_id));
      ({ cursor, more } = page);
    }
    // an order that changes meanwhile is listed again, so others may come after these
    for (const id of placed) assert.ok(found.includes(id), id);
    const { events } = read(
      endpoints.events.response,
      await world.ask('/v1/events', { limit: 500 }, bearer),
    );
    for (const id of placed) assert.ok(events.some(({ data }) => data.request_id === id));
  });

  it('refuses an order of a closed intent, and refuses to close a paid intent', async () => {
    const fields = newPay();
    const { intent_id } = await pay(world, fields);
    read(endpoints.close.response, await world.ask('/v1/close', { intent_id }, bearer));
    assert.equal(
      codeOf(await world.ask('/v1/pay', { ...fields, option: 'card' })),
      'intent_closed',
    );
    const paid = await pay(world);
    setStatus(world, paid.request_id);
    await until(
      async () => (await backendOrder(world, paid.request_id)).outcome === 'succeeded',
      'the payment',
    );
    const refused = await world.ask('/v1/close', { intent_id: paid.intent_id }, bearer);
    assert.equal(codeOf(refused), 'already_paid');
  });

  it('opens the page of a pay link', async () => {
    const sale = { ...openIntent, customer_ref_id: 'c-1', expires_in: 3600 };
    const answer = await world.ask('/v1/pay-links', sale, bearer);
    const { url } = read(endpoints.payLinks.response, answer);
    const page = await world.get(new URL(url).pathname);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /12\.50/);
  });

  it('serves the element’s script', async () => {
    const script = await world.get('/pay/pay-checkout.js');
    assert.equal(script.status, 200);
    assert.match(await script.text(), /pay-checkout/);
  });

  it('renders the element with the customer’s code', async () => {
    const sale = { ...openIntent, customer_ref_id: 'c-1', jti: 'render-001' };
    const { body } = await world.ask('/v1/order-tokens', sale, bearer);
    const { order_token } = endpoints.orderTokens.response.parse(body);
    const answer = await world.ask('/v1/render', { order_token, option: 'qr' }, bearer);
    assert.match(read(endpoints.render.response, answer), /<pay-checkout[^]*<svg/);
  });

  const order_key = 'm.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  const refusals: Record<string, [string, unknown, Record<string, string>, number, string]> = {
    'no JSON': ['/v1/pay', '{', {}, 400, 'invalid_request'],
    'an unknown field': ['/v1/pay', newPay({ nothing: 1 }), {}, 400, 'invalid_request'],
    'another content type': [
      '/v1/pay',
      newPay(),
      { 'content-type': 'text/plain' },
      415,
      'content_type_refused',
    ],
    'a long body': ['/v1/pay', newPay({ remark: 'x'.repeat(20_000) }), {}, 413, 'body_too_large'],
    'a foreign origin': [
      '/v1/checkout',
      openIntent,
      { origin: 'https://evil.example' },
      403,
      'origin_refused',
    ],
    'an amount out of bounds': [
      '/v1/checkout',
      { ...openIntent, amount: '501' },
      {},
      400,
      'amount_out_of_bounds',
    ],
    'an unknown option': ['/v1/pay', newPay({ option: 'none' }), {}, 404, 'option_unknown'],
    'an unknown sku': ['/v1/checkout', { sku: 'none' }, {}, 404, 'sku_unknown'],
    'an unknown order': ['/v1/query', { request_id: 'none', order_key }, {}, 404, 'order_unknown'],
    'a forged token': ['/v1/checkout', { order_token: 'a.b.c' }, {}, 401, 'token_invalid'],
    'an unknown path': ['/v1/nothing', {}, {}, 404, 'not_found'],
  };
  for (const [what, [path, body, headers, status, code]] of Object.entries(refusals))
    it(`refuses ${what} with ${status} ${code}`, async () => {
      const answer = await world.ask(path, body, headers);
      assert.deepEqual([answer.status, codeOf(answer)], [status, code]);
    });

  it('sends a pay once when the service cuts the connection, and finds its order', async () => {
    // connections of earlier calls are kept: some HTTP clients would send the request again
    for (let round = 0; round < 5; round++) {
      await pay(world);
      world.sandbox.faults.add({ operation: 'pay', fault: 'cut_after' });
      const order = await pay(world);
      assert.equal(paysOf(world, order.request_id), 1);
      await until(
        async () => (await backendOrder(world, order.request_id)).outcome === 'pending',
        'the order to be found',
      );
      assert.equal(paysOf(world, order.request_id), 1);
    }
  });

  it('records the answer of a pay whose customer has left', async () => {
    const fields = newPay();
    world.sandbox.faults.add({ operation: 'pay', fault: 'slow', delay_ms: SLOW_MS });
    await world.leave('/v1/pay', fields, SLOW_MS / 2);
    const order = await pay(world, fields);
    assert.equal(order.outcome, 'pending');
    assert.equal(paysOf(world, order.request_id), 1);
  });

  it('keeps its orders after a power cut, and queries them when no page asks', async () => {
    const { request_id } = await pay(world);
    await world.kill();
    setStatus(world, request_id);
    await world.start();
    const queryCount = (): number =>
      world.sandbox.calls.filter(
        ({ body, operation }) =>
          operation !== 'pay' && (body as { request_id?: string }).request_id === request_id,
      ).length;
    await until(() => queryCount() > 0, 'the relay to ask about the order');
    await until(
      async () => (await backendOrder(world, request_id)).outcome === 'succeeded',
      'the payment',
    );
  });
});
