/** Events reach the shop's backend signed, in order, at least once, and success only once per intent. */
import { expect } from '@open-wc/testing';
import { signMessage } from '../../relay/shop-events/sign.js';
import { createWorld, openIntent, SECRETS, until, type World } from '../world.js';

type Received = {
  id: string;
  type: string;
  data: Record<string, unknown>;
  headers: Headers;
  body: string;
};

function shop(answer: () => Response = () => new Response()): {
  world: World;
  received: Received[];
  now: { shift: number };
} {
  const received: Received[] = [];
  const now = { shift: 0 };
  const world = createWorld({
    config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
    clock: {
      now: () => Date.now() + now.shift,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    },
    shopFetch: async (_, init) => {
      const headers = new Headers(init.headers);
      const body = init.body as string;
      received.push({
        id: headers.get('webhook-id') ?? '',
        ...(JSON.parse(body) as { type: string; data: Record<string, unknown> }),
        headers,
        body,
      });
      return answer();
    },
  });
  return { world, received, now };
}

const place = async (
  world: World,
  attempt = crypto.randomUUID(),
  change: object = {},
): Promise<{ request_id: string; order_key: string }> => {
  const order = (await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr', ...change }))
    .body.order!;
  return { request_id: order.request_id, order_key: order.order_key };
};
const set = async (
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
  it('tell the whole story in order, and success once', async () => {
    const { world, received } = shop();
    const order = await place(world);
    for (const status of [30, 40, 77, 20]) await set(world, order, status);
    await world.relay.tick();
    expect(received.map(({ type }) => type)).to.deep.equal([
      'order.created',
      'order.failed',
      'order.expired',
      'order.unmapped_status',
      'order.succeeded',
    ]);
    const { data } = received.at(-1)!;
    expect(data).to.deep.include({
      intent_id: order.request_id,
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

  it('a second payment of one intent is a duplicate that names both orders', async () => {
    const { world, received } = shop();
    const attempt = crypto.randomUUID();
    const first = await place(world, attempt);
    const second = await place(world, attempt, { option: 'card', replaces: first });
    await set(world, second, 20);
    await set(world, first, 20);
    await world.relay.tick();
    expect(received.map(({ type, data }) => [type, data.request_id])).to.deep.equal([
      ['order.created', attempt],
      ['order.created', `${attempt}.2`],
      ['order.succeeded', `${attempt}.2`],
      ['order.duplicate_payment', attempt],
    ]);
    expect(received.at(-1)?.data.first_request_id).to.equal(`${attempt}.2`);
  });

  it('review is told, also when a status changes after success', async () => {
    const { world, received } = shop();
    const order = await place(world);
    await set(world, order, 20);
    world.sandbox.orders.setStatus(world.sandbox.orders.byRequest(order.request_id)!, 30);
    await until(
      async () =>
        (await world.ledger.order(order.request_id))?.review_reason === 'status_after_success',
      'noticed',
    );
    await world.relay.tick();
    expect(received.map(({ type }) => type)).to.deep.equal([
      'order.created',
      'order.succeeded',
      'order.review',
    ]);
    expect(received.at(-1)?.data.outcome).to.equal('succeeded');
  });

  it('a failing shop is tried again by the schedule, under the same id, and holds back later events of the intent alone', async () => {
    let down = true;
    const { world, received, now } = shop(() => new Response(null, { status: down ? 500 : 200 }));
    const order = await place(world);
    await set(world, order, 20);
    await world.relay.tick();
    await world.relay.tick();
    expect(received.map(({ type }) => type)).to.deep.equal(['order.created']);
    const other = await place(world);
    await world.relay.tick();
    expect(received.map(({ data }) => data.request_id)).to.deep.equal([
      order.request_id,
      other.request_id,
    ]);
    down = false;
    now.shift = 6000;
    await world.relay.tick();
    expect(
      received.filter(({ data }) => data.request_id === order.request_id).map(({ type }) => type),
    ).to.deep.equal(['order.created', 'order.created', 'order.succeeded']);
    expect(received[0]?.id).to.equal(received[2]?.id);
    expect(await world.ledger.outbox()).to.deep.equal({ waiting: 0, oldest: null });
  });

  it('carry a signature by each of two secrets, the new one first', async () => {
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
    expect(signatures[0]).to.not.equal(signatures[1]);
    const message = { id: 'm', at: 1, body: '{}' };
    const both = await signMessage(['new', 'old'], message);
    const [fresh, old] = [await signMessage('new', message), await signMessage('old', message)];
    expect(both['webhook-signature']).to.equal(
      `${fresh['webhook-signature']} ${old['webhook-signature']}`,
    );
  });

  it('are signed as the specification says', async () => {
    // the example of the specification's own libraries
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
