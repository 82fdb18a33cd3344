/** No answer shows a QR code that charges another amount or currency than its order. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { shopCode } from '../../support/merchant-codes.js';
import {
  bearer,
  createWorld,
  openIntent,
  testConfig,
  until,
  type World,
} from '../../support/world.js';

const HONEST = shopCode('12.50');
const WRONG = shopCode('99.50');
const BAHT = shopCode('440.00', '764');

/** A sandbox whose answers to pay contain this code. */
function answering(code: string): Sandbox {
  const sandbox = createSandbox({ publicUrl: 'https://service.example' });
  const withCode = async (response: Response): Promise<Response> => {
    const body = (await response.json()) as { data: object };
    return Response.json({ ...body, data: { ...body.data, qrcode_string: code } });
  };
  return {
    ...sandbox,
    fetch: async (request) => {
      const response = await sandbox.fetch(request);
      return request.url.endsWith('/pay') ? withCode(response) : response;
    },
  };
}

type Shown = {
  outcome: string;
  next_action: { qrcode_string?: string } | null;
  payee?: string;
  review_reason?: string;
};

const attempt = crypto.randomUUID();
const intent = { ...openIntent, attempt };
const payment = { ...intent, option: 'qr' };

function shop(code: string, payCurrency?: string) {
  const events: { type: string; data: Record<string, unknown> }[] = [];
  const options = testConfig.options?.map((option) =>
    option.id === 'qr' && payCurrency ? { ...option, pay_currency: payCurrency } : option,
  );
  const world = createWorld({
    sandbox: answering(code),
    config: {
      options,
      shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } },
    },
    shopFetch: async (_url, init) => {
      events.push(JSON.parse(String(init.body)) as (typeof events)[number]);
      return new Response();
    },
  });
  return { events, world };
}

/** The order as each answer of the relay shows it to the page. */
async function readByPage(world: World): Promise<Shown[]> {
  const paid = (await world.ask('/v1/pay', payment)).body.order;
  const { order_key = '', request_id = '' } = paid ?? {};
  const resumed = await world.ask('/v1/checkout', { resume: { request_id, order_key } });
  const standing = await world.ask('/v1/checkout', intent);
  const queried = await world.ask('/v1/query', { request_id, order_key });
  return [paid, resumed.body.order, standing.body.order, queried.body.order].map((order) => {
    assert.ok(order);
    return order;
  });
}

async function readByBackend(world: World): Promise<Shown> {
  const paid = (await world.ask('/v1/pay', payment)).body.order;
  const { body } = await world.ask('/v1/query', { request_id: paid?.request_id }, bearer);
  assert.ok(body.order);
  return body.order;
}

describe('an order whose code charges another amount', () => {
  it('shows the review in every answer, and the code in none, when the code is wrong', async () => {
    const { events, world } = shop(WRONG);
    for (const order of await readByPage(world)) {
      assert.deepEqual([order.outcome, order.next_action], ['review', null]);
      assert.equal('review_reason' in order || 'payee' in order, false);
      assert.equal(JSON.stringify(order).includes('000201'), false);
    }
    assert.equal((await readByBackend(world)).review_reason, 'code_mismatch');
    await until(async () => {
      await world.relay.tick();
      return events.some(({ type }) => type === 'order.review');
    }, 'the event');
    const review = events.find(({ type }) => type === 'order.review');
    assert.equal(review?.data.review_reason, 'code_mismatch');
  });
});

describe('an order whose code is right', () => {
  it('shows a right code, and the payee that the code names', async () => {
    const { world } = shop(HONEST);
    for (const order of await readByPage(world)) {
      assert.equal(order.next_action?.qrcode_string, HONEST);
      assert.equal(order.payee, 'BEAN AND LEAF LLC');
    }
  });

  it('compares a code’s currency, but not its amount, when the pay_currency differs', async () => {
    const { world } = shop(BAHT, 'THB');
    for (const order of await readByPage(world))
      assert.equal(order.next_action?.qrcode_string, BAHT);
    const { world: other } = shop(BAHT);
    for (const order of await readByPage(other)) assert.equal(order.outcome, 'review');
  });

  it('shows a code of an unknown form without a payee', async () => {
    const { world } = shop('https://qr.example/1');
    for (const order of await readByPage(world)) {
      assert.equal(order.next_action?.qrcode_string, 'https://qr.example/1');
      assert.equal('payee' in order, false);
    }
  });
});
