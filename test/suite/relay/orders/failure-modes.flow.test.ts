/** No order gets a wrong outcome from unusual answers, late writes, refusals or limits. */
import { expect } from '@open-wc/testing';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { systemClock } from '../../../../relay/runtime.js';
import {
  bearer,
  createWorld,
  openIntent,
  postRequest,
  testConfig,
  until,
  type World,
} from '../../support/world.js';

const pay = (world: World, more: object = {}): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr', ...more });

type Answer = { code: number | string; data: object | null };

/** Changes the service's answers to one operation. */
function changeAnswers(
  { sandbox }: World,
  operation: 'pay' | 'query',
  change: (answer: Answer) => object,
): void {
  const original = sandbox.fetch;
  sandbox.fetch = async (request) => {
    const response = await original(request);
    return request.url.endsWith(`/${operation}`)
      ? Response.json(change((await response.json()) as Answer))
      : response;
  };
}

/** Waits as a page does until the order's status differs from the one that pay returned. */
const longPoll = (
  world: World,
  { request_id, order_key }: { request_id: string; order_key: string },
): ReturnType<World['ask']> =>
  world.ask('/v1/query', { request_id, order_key, known_status: 11, wait: 20 });

describe('an answer in an odd form', () => {
  for (const [what, change] of Object.entries({
    'a number as order_no': { order_no: 12345 },
    'a number as amount': { order_amount: 12.5 },
    'null in place of a text': {
      order_no: null,
      currency: null,
      order_amount: null,
      request_id: null,
    },
  }))
    it(`reads the status of an answer that has ${what}`, async () => {
      const world = createWorld();
      const { order } = (await pay(world)).body;
      changeAnswers(world, 'query', (answer) => ({
        ...answer,
        data: { ...answer.data, ...change },
      }));
      world.sandbox.orders.act(world.sandbox.orders.byRequest(order!.request_id)!, 'confirm');
      const { body } = await longPoll(world, order!);
      expect(body.order!.outcome).to.equal('succeeded');
    });

  it('puts an order into review when an echo has another type', async () => {
    const world = createWorld();
    const { order } = (await pay(world)).body;
    changeAnswers(world, 'query', (answer) => ({
      ...answer,
      data: { ...answer.data, status: 20, order_amount: { value: '12.50' } },
    }));
    const { body } = await longPoll(world, order!);
    expect(body.order!.outcome).to.equal('review');
  });

  it('places new orders when an answer about one order cannot be read', async () => {
    let passed = 0;
    const world = createWorld({
      clock: {
        ...systemClock,
        now: () => systemClock.now() + passed,
        elapsed: () => systemClock.elapsed() + passed,
      },
    });
    const { order } = (await pay(world)).body;
    changeAnswers(world, 'query', () => ({ code: 200, message: 'ok', data: { status: 'soon' } }));
    for (let queries = 0; queries < 8; queries++) {
      await world.ask('/v1/query', { intent_id: order!.intent_id }, bearer);
      passed += 1010;
    }
    expect((await pay(world)).status).to.equal(200);
  });
});

describe('a refusal', () => {
  it('does not fail a refused order when the query after the refusal finds it', async () => {
    const types: string[] = [];
    const world = createWorld({
      config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
      shopFetch: (_, init) => {
        types.push((JSON.parse(String(init.body)) as { type: string }).type);
        return Promise.resolve(new Response());
      },
    });
    // the service has the order, and nevertheless refuses the request
    changeAnswers(world, 'pay', () => ({ code: '5001', message: 'duplicate', data: null }));
    const { order } = (await pay(world)).body;
    expect(order!.outcome).to.equal('pending');
    await world.relay.tick();
    await until(() => types.length > 0, 'an event');
    expect(types).to.deep.equal(['order.created']);
  });
});

describe('a request', () => {
  it('limits requests with a wrong secret key, and does not limit the right key', async () => {
    const spent: string[] = [];
    const world = createWorld({
      limiter: (bucket, key) => Promise.resolve(spent.push(`${bucket} ${key}`) <= 3),
    });
    const guess = (authorization: string): Promise<Response> =>
      world.relay.fetch(
        new Request('https://shop.example/v1/query', {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization },
          body: JSON.stringify({ intent_id: 'x' }),
        }),
        { address: '203.0.113.7' },
      );
    const statuses: number[] = [];
    for (let guesses = 0; guesses < 5; guesses++)
      statuses.push((await guess(`Bearer guess${guesses}`)).status);
    expect(statuses).to.deep.equal([401, 401, 401, 429, 429]);
    expect((await guess(bearer.authorization)).status).to.equal(404);
  });

  it('does not limit a backend that asks for the checkout of its pages', async () => {
    const world = createWorld({ limiter: async (bucket) => bucket !== 'ip' });
    const ask = async (headers: Record<string, string>): Promise<number> => {
      const request = postRequest('/v1/checkout', openIntent, headers);
      return (await world.relay.fetch(request, { address: '203.0.113.7' })).status;
    };
    expect([await ask({}), await ask(bearer)]).to.deep.equal([429, 200]);
  });

  it('counts requests for deposit addresses by customer and by IP address', async () => {
    const spent: string[] = [];
    const world = createWorld({
      limiter: (bucket, key) => Promise.resolve(void spent.push(`${bucket} ${key}`) === undefined),
    });
    await world.relay.fetch(
      new Request('https://shop.example/v1/deposit-address', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ currency: 'XRP', customer_ref_id: 'c1' }),
      }),
      { address: '203.0.113.7' },
    );
    expect(spent.filter((entry) => entry.startsWith('deposit'))).to.deep.equal([
      'deposit ip 203.0.113.7',
      'deposit customer c1',
    ]);
  });

  it('refuses a request when a text of the page has control characters', async () => {
    const { body, status } = await pay(createWorld(), { product_name: 'a\u0000b' });
    expect([status, (body.error as { field: string }).field]).to.deep.equal([400, 'product_name']);
  });

  it('shows the same order when the amount is written in another way', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const first = await pay(world, { attempt, amount: '12.5' });
    const second = await pay(world, { attempt, amount: '12.50' });
    expect([first.status, second.status]).to.deep.equal([200, 200]);
    expect(world.pays().length).to.equal(1);
  });

  it('accepts an order_key from before capability keys were configured', async () => {
    const ledger = memoryLedger();
    const { order } = (await pay(createWorld({ ledger }))).body;
    const later = createWorld({
      ledger,
      config: {
        capability_keys: [{ kid: 'c1', secret: { env: 'TOKEN' } }],
        service: testConfig.service,
      },
    });
    const { status } = await later.ask('/v1/query', {
      request_id: order!.request_id,
      order_key: order!.order_key,
    });
    expect(status).to.equal(200);
  });
});
