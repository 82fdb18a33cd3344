/**
 * Events reach the shop's backend signed and at least once; an intent has one event of success.
 */
import { expect } from '@open-wc/testing';
import { signMessage } from '../../../../relay/webhooks/sign.js';
import { createWorld, openIntent, SECRETS, until, type World } from '../../support/world.js';
import { findOrder } from '../../support/ledger-calls.js';

type Received = { type: string; data: Record<string, unknown>; headers: Headers; body: string };

function shop(): { world: World; received: Received[] } {
  const received: Received[] = [];
  const world = createWorld({
    config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
    shopFetch: async (_, init) => {
      const headers = new Headers(init.headers);
      const body = init.body as string;
      const event = JSON.parse(body) as { type: string; data: Record<string, unknown> };
      received.push({ ...event, headers, body });
      return new Response();
    },
  });
  return { world, received };
}

type Placed = { request_id: string; order_key: string };
const placedIntents = new Map<string, string>();

const place = async (
  world: World,
  attempt = crypto.randomUUID(),
  change: object = {},
): Promise<Placed> => {
  const order = (await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr', ...change }))
    .body.order!;
  placedIntents.set(order.request_id, order.intent_id);
  return { request_id: order.request_id, order_key: order.order_key };
};
const setStatus = async (
  world: World,
  order: { request_id: string; order_key: string },
  status: number,
): Promise<void> => {
  world.sandbox.orders.setStatus(world.sandbox.orders.byRequest(order.request_id)!, status);
  await until(
    async () => (await world.ask('/v1/query', order)).body.order?.status === status,
    `status ${status}`,
  );
};

describe('shop events', () => {
  it('sends an event for each change of an order, and one event for success', async () => {
    const { world, received } = shop();
    const order = await place(world);
    for (const status of [30, 40, 77, 20]) await setStatus(world, order, status);
    await world.relay.tick();
    expect(received.map(({ type }) => type)).to.deep.equal([
      'order.created',
      'order.failed',
      'order.expired',
      'order.unmapped_status',
      'order.succeeded',
    ]);
    const { data } = received.at(-1)!;
    expect(received.map(({ data: { sequence } }) => sequence)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(new Set(received.map(({ data: { epoch } }) => epoch)).size).to.equal(1);
    expect(data).to.deep.include({
      intent_id: placedIntents.get(order.request_id),
      mode: 'open',
      product_name: 'A tree',
      sequence: 5,
      request_id: order.request_id,
      amount: '12.50',
      currency: 'USD',
      outcome: 'succeeded',
      late: true,
      open_amount: true,
      livemode: false,
    });
    await world.relay.tick();
    expect(received.length).to.equal(5);
  });

  it('reports a second payment of one intent as a duplicate, with both orders', async () => {
    const { world, received } = shop();
    const attempt = crypto.randomUUID();
    const first = await place(world, attempt);
    const second = await place(world, attempt, { option: 'card', replaces: first });
    await setStatus(world, second, 20);
    await setStatus(world, first, 20);
    await world.relay.tick();
    expect(received.map(({ type, data }) => [type, data.request_id])).to.deep.equal([
      ['order.created', first.request_id],
      ['order.created', second.request_id],
      ['order.succeeded', second.request_id],
      ['order.duplicate_payment', first.request_id],
    ]);
    expect(received.at(-1)?.data.first_request_id).to.equal(second.request_id);
  });

  it('reports a review when a status changes after success', async () => {
    const { world, received } = shop();
    const order = await place(world);
    await setStatus(world, order, 20);
    world.sandbox.orders.setStatus(world.sandbox.orders.byRequest(order.request_id)!, 30);
    await until(
      async () =>
        (await findOrder(world.ledger, order.request_id))?.review_reason === 'status_after_success',
      'the review is stored',
    );
    await world.relay.tick();
    expect(received.map(({ type }) => type)).to.deep.equal([
      'order.created',
      'order.succeeded',
      'order.review',
    ]);
    expect(received.at(-1)?.data.outcome).to.equal('succeeded');
  });

  it('signs events with each of two secrets, the new one first', async () => {
    const received: Headers[] = [];
    const world = createWorld({
      config: {
        shop_events: {
          url: 'https://shop.example/hooks',
          secret: [{ env: 'TOKEN' }, { env: 'SECRET' }],
        },
      },
      shopFetch: async (_, init) => {
        received.push(new Headers(init.headers));
        return new Response();
      },
    });
    await place(world);
    await world.relay.tick();
    const sent = (await world.ledger.outbox()).waiting === 0 ? received[0] : undefined;
    const signatures = sent?.get('webhook-signature')?.split(' ') ?? [];
    expect(signatures.length).to.equal(2);
    expect(signatures[0]).not.to.equal(signatures[1]);
    const message = { id: 'm', at: 1, body: '{}' };
    const both = await signMessage(['new', 'old'], message);
    const [fresh, old] = [await signMessage('new', message), await signMessage('old', message)];
    expect(both['webhook-signature']).to.equal(
      `${fresh['webhook-signature']} ${old['webhook-signature']}`,
    );
  });

  it('signs the specification’s example with the specified signature', async () => {
    // the example in the tests of the specification's own libraries
    const headers = await signMessage('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      at: 1614265330,
      body: '{"test": 2432232314}',
    });
    expect(headers['webhook-signature']).to.equal(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
    const { world, received } = shop();
    await place(world);
    await world.relay.tick();
    const { headers: sent, body } = received[0]!;
    const expected = await signMessage(SECRETS.SECRET ?? '', {
      id: sent.get('webhook-id') ?? '',
      at: Number(sent.get('webhook-timestamp')),
      body,
    });
    expect(sent.get('webhook-signature')).to.equal(expected['webhook-signature']);
  });
});
