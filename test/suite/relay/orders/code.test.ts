/** No answer shows a QR code that charges another amount or currency than its order. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { outputs } from '../../../../relay/operator/shapes.js';
import { show } from '../../../../relay/operator/show.js';
import { shopCode } from '../../support/merchant-codes.js';
import { STATIC_DUITNOW_CODE } from '../../support/published-codes.js';
import {
  bearer,
  createWorld,
  openIntent,
  testConfig,
  until,
  type World,
} from '../../support/world.js';
import { rules as config } from './fresh-order.js';

const HONEST = shopCode('12.50');
const WRONG = shopCode('99.50');
const BAHT = shopCode('440.00', '764');

type Option = NonNullable<ConfigFile['options']>[number];
type Link = 'qrcode_string' | 'wallet_url' | 'checkout_url';

/** A sandbox whose answers to pay contain this code or link. */
function answering(code: string, link: Link = 'qrcode_string'): Sandbox {
  const sandbox = createSandbox({ publicUrl: 'https://service.example' });
  const withCode = async (response: Response): Promise<Response> => {
    const body = (await response.json()) as { data: object };
    return Response.json({
      ...body,
      data: { ...body.data, qrcode_string: undefined, [link]: code },
    });
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
  code_amount?: object;
  review_reason?: string;
};

const attempt = crypto.randomUUID();
const intent = { ...openIntent, attempt };
const payment = { ...intent, option: 'qr' };

type Terms = { payCurrency?: string; code?: NonNullable<Option['code']>; link?: Link };

function shop(code: string, { payCurrency, code: rules, link }: Terms = {}) {
  const events: { type: string; data: Record<string, unknown> }[] = [];
  const options = testConfig.options?.map((option) =>
    option.id === 'qr'
      ? {
          ...option,
          ...(payCurrency && { pay_currency: payCurrency }),
          ...(rules && { code: rules }),
        }
      : option,
  );
  const world = createWorld({
    sandbox: answering(code, link),
    config: {
      options,
      links: { hosts: ['qr.nspk.ru', 'pay.example'], schemes: ['upi'] },
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
      for (const field of ['review_reason', 'payee', 'code_amount'])
        assert.equal(field in order, false, field);
      assert.equal(JSON.stringify(order).includes('000201'), false);
    }
    const told = await readByBackend(world);
    const charged = { amount: '99.5', currency: 'USD' };
    assert.deepEqual([told.review_reason, told.code_amount], ['code_mismatch', charged]);
    await until(async () => {
      await world.relay.tick();
      return events.some(({ type }) => type === 'order.review');
    }, 'the event');
    const review = events.find(({ type }) => type === 'order.review');
    const { code_amount, review_reason } = review?.data ?? {};
    assert.deepEqual([review_reason, code_amount], ['code_mismatch', charged]);
    assert.equal(JSON.stringify([told, review]).includes('000201'), false);
  });

  it('shows the person who decides what the code charges, and keeps the code nowhere', async () => {
    const { world } = shop(WRONG);
    const id = (await world.ask('/v1/pay', payment)).body.order?.request_id ?? '';
    const shown = outputs['orders show'].parse(await show({ config, ledger: world.ledger }, id));
    const [evidence] = shown.reviews;
    assert.deepEqual(evidence?.code_amount, { amount: '99.5', currency: 'USD' });
    assert.match(evidence?.for_shop ?? '', /for \$12\.50, the code charges \$99\.50\. Then/);
    const kept = [shown, await world.ledger.find(id)];
    assert.equal(JSON.stringify(kept).includes('000201'), false);
    const typed = shop(STATIC_DUITNOW_CODE).world;
    const other = (await typed.ask('/v1/pay', payment)).body.order?.request_id ?? '';
    const [inRinggit] = (await show({ config, ledger: typed.ledger }, other)).reviews;
    assert.deepEqual(inRinggit?.code_amount, { currency: 'MYR' });
    assert.match(
      inRinggit?.for_shop ?? '',
      /charges an amount in MYR that the customer types\. Then/,
    );
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
    const { world } = shop(BAHT, { payCurrency: 'THB' });
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

describe('the rules of an option for its codes', () => {
  const outcomes = async (code: string, terms: Terms): Promise<(string | undefined)[]> => {
    const { world } = shop(code, terms);
    const [shown] = await readByPage(world);
    return [shown?.outcome, (await readByBackend(world)).review_reason];
  };

  it('reviews a code that pays nobody of the list, tells the shop and counts it', async () => {
    const { events, world } = shop(HONEST, { code: { payees: ['Another Shop'] } });
    for (const order of await readByPage(world)) {
      assert.deepEqual([order.outcome, order.next_action], ['review', null]);
      assert.equal('payee' in order, false);
    }
    assert.equal((await readByBackend(world)).review_reason, 'payee_mismatch');
    await until(async () => {
      await world.relay.tick();
      return events.some(({ data }) => data.review_reason === 'payee_mismatch');
    }, 'the event');
  });

  it('shows a code that pays somebody of the list', async () => {
    const code = { check: 'required' as const, payees: ['bean and leaf llc'] };
    assert.deepEqual(await outcomes(HONEST, { code }), ['pending', undefined]);
  });

  it('shows no code of an unknown form when the check is required', async () => {
    const required = { check: 'required' } as const;
    const unknown = 'https://pay.example/1';
    const review = ['review', 'code_mismatch'];
    assert.deepEqual(await outcomes(unknown, { code: required }), review);
    assert.deepEqual(await outcomes(unknown, { code: required, link: 'wallet_url' }), review);
    const page = { code: required, link: 'checkout_url' } as const;
    assert.deepEqual(await outcomes(unknown, page), ['pending', undefined]);
  });

  it('reads a wallet link and a page link like a code', async () => {
    const links = [
      ['wallet_url', 'upi://pay?pa=a@b&am=1&cu=USD'],
      ['checkout_url', 'https://qr.nspk.ru/AD100004BAL7227F9BNP6KNE007J9B3K?sum=1&cur=RUB'],
    ] as const;
    for (const [link, wrong] of links)
      assert.deepEqual(await outcomes(wrong, { link }), ['review', 'code_mismatch'], wrong);
    const right = 'upi://pay?pa=a@b&pn=Bean&am=12.50&cu=USD';
    const { world } = shop(right, { link: 'wallet_url' });
    for (const order of await readByPage(world)) assert.equal(order.payee, 'Bean');
  });
});

describe('the amount that the customer’s app charges', () => {
  const amounts = async (code: string, terms?: Terms): Promise<(object | undefined)[]> => {
    const orders = await readByPage(shop(code, terms).world);
    return orders.map(({ code_amount }) => code_amount);
  };

  it('comes with an order whose code has no amount, and names no amount', async () => {
    const typed = { currency: 'USD' };
    const code = 'upi://pay?pa=a@b&cu=USD';
    assert.deepEqual(await amounts(code), [typed, typed, typed, typed]);
  });

  it('comes with an order whose code charges in another currency', async () => {
    const baht = { amount: '440', currency: 'THB' };
    assert.deepEqual(await amounts(BAHT, { payCurrency: 'THB' }), [baht, baht, baht, baht]);
  });

  it('is absent when the code charges the order’s amount', async () => {
    assert.deepEqual(await amounts(HONEST), [undefined, undefined, undefined, undefined]);
  });
});
