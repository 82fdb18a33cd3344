/** A shop finds its own order number in every log line about an order or an event. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bearer, createWorld, openIntent, type World } from '../../support/world.js';
import { until } from '../../support/wait.js';

const SHOP = 'https://shop.example/hooks';
const shop_events = { url: SHOP, secret: { env: 'SECRET' } };

const lines = (world: World, event: string): Record<string, unknown>[] =>
  world.log.filter((line) => line.event === event).map(({ fields }) => fields);

async function token(world: World, change: object = {}): Promise<string> {
  const claims = { ...openIntent, customer_ref_id: 'c-1', jti: 'order-10042', ...change };
  const { body } = await world.ask('/v1/order-tokens', claims, bearer);
  return String(body.order_token);
}

const attempt = '6f1c1a52-3c5e-4c1e-9d5b-0a1b2c3d4e5f';

describe('the log', () => {
  it('names the intent in the lines of a pay, its order, its queries and its event', async () => {
    const world = createWorld({
      config: { shop_events },
      shopFetch: async () => new Response(null, { status: 204 }),
    });
    const order_token = await token(world);
    const { body } = await world.ask('/v1/pay', { order_token, option: 'qr', attempt });
    const { order_key = '', request_id = '' } = body.order ?? {};
    const { orders } = world.sandbox;
    const placed = orders.byRequest(request_id);
    assert.ok(placed);
    orders.setStatus(placed, 20);
    await until(async () => {
      await world.relay.tick();
      await world.ask('/v1/query', { request_id, order_key });
      return lines(world, 'shop_event').some(({ type }) => type === 'order.succeeded');
    }, 'the event of the payment');
    await world.ask('/v1/query', { intent_id: 'order-10042' }, bearer);
    await world.ask('/v1/query', { request_id }, bearer);
    await world.ask('/v1/close', { intent_id: 'order-10042' }, bearer);
    await world.ask('/v1/events', { intent_id: 'order-10042' }, bearer);
    const { event_id } = lines(world, 'shop_event')[0] ?? {};
    await world.ask('/v1/events/resend', { event_id }, bearer);
    for (const { event, fields } of world.log)
      assert.equal(fields.intent_id, 'order-10042', `${event} ${JSON.stringify(fields)}`);
    assert.deepEqual(
      lines(world, 'shop_event').map(({ delivered, tries, type }) => [type, tries, delivered]),
      [
        ['order.created', 1, true],
        ['order.succeeded', 1, true],
      ],
    );
  });

  it('names the intent of a request that is refused, and of one that finds no order', async () => {
    const world = createWorld();
    const order_token = await token(world);
    await world.ask('/v1/pay', { order_token, option: 'nope', attempt });
    await world.ask('/v1/pay', { order_token, option: 'qr', attempt, amount: '7' });
    await world.ask('/v1/checkout', { order_token, amount: '7' });
    await world.ask('/v1/query', { intent_id: 'order-10043' }, bearer);
    await world.ask('/v1/close', { intent_id: 'order-10044' }, bearer);
    await world.ask('/v1/close', { intent_id: 'order-10044', reason: 'x' }, bearer);
    const named = lines(world, 'request').map(({ intent_id, status }) => [status, intent_id]);
    assert.deepEqual(named, [
      [200, 'order-10042'],
      [404, 'order-10042'],
      [422, 'order-10042'],
      [422, 'order-10042'],
      [404, 'order-10043'],
      [200, 'order-10044'],
      [200, 'order-10044'],
    ]);
  });

  it('has one line for a pay, and none for a checkout or query that succeeds', async () => {
    const world = createWorld();
    const order_token = await token(world);
    world.log.length = 0;
    await world.ask('/v1/checkout', { order_token });
    const { body } = await world.ask('/v1/pay', { order_token, option: 'qr', attempt });
    const { order_key = '', request_id = '' } = body.order ?? {};
    await world.ask('/v1/query', { request_id, order_key });
    await world.ask('/v1/query', { intent_id: 'order-10042' }, bearer);
    await world.ask('/v1/query', { request_id, order_key: 'm.x' });
    assert.deepEqual(
      world.log.map(({ event, fields: { path, status } }) => [event, path, status]),
      [
        ['request', '/v1/pay', 200],
        ['request', '/v1/query', 404],
      ],
    );
  });

  it('says why a token is refused, in one short line', async () => {
    const world = createWorld();
    await world.ask('/v1/checkout', { order_token: 'a.b\nc'.repeat(50) });
    await world.ask('/v1/checkout', { order_token: 'eyJhbGciOiJub25lIn0.e30.AA' });
    const other = createWorld({ config: { public_url: 'https://other.example/pay' } });
    await world.ask('/v1/checkout', { order_token: await token(other) });
    const reasons = lines(world, 'request').map(({ reason }) => String(reason));
    assert.equal(reasons.length, 3);
    for (const reason of reasons) assert.match(reason, /^the token is refused: .{5,180}$/);
    assert.match(reasons[2] ?? '', /aud is not the relay/);
  });
});
