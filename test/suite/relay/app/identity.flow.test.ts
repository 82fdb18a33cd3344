/** Every order belongs to one intent; the identifiers of another intent never find the order. */
import { expect } from '@open-wc/testing';
import { SignJWT } from 'jose';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import {
  bearer,
  createWorld,
  openIntent,
  SECRETS,
  testConfig,
  until,
  type World,
} from '../../support/world.js';
import { findOrder } from '../../support/ledger-calls.js';

SECRETS.KEY_A = 'request-id-key-a-of-the-identity-tests';
SECRETS.KEY_B = 'request-id-key-b-of-the-identity-tests';
const KEY_A = { request_id_key: { env: 'KEY_A' } };
const KEY_B = { request_id_key: { env: 'KEY_B' } };

const claims = {
  amount: '500.00',
  currency: 'USD',
  product_name: 'A piano',
  customer_ref_id: 'c1',
};
const REQUEST_ID = /^[a-z2-7]{26}$/;

type Event = { type: string; data: Record<string, unknown> };

function worldWithEvents(config: Partial<ConfigFile> = {}): { world: World; events: Event[] } {
  const events: Event[] = [];
  const world = createWorld({
    config: {
      shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } },
      ...config,
    },
    shopFetch: async (_url, init) => {
      events.push(JSON.parse(String(init.body)) as Event);
      return new Response();
    },
  });
  return { world, events };
}

const pay = (world: World, body: object): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { option: 'card', attempt: crypto.randomUUID(), ...body });

async function tokenFor(world: World, jti: string): Promise<string> {
  const { body } = await world.ask('/v1/order-tokens', { ...claims, jti }, bearer);
  return String(body.order_token);
}

const backendQuery = (world: World, query: object): ReturnType<World['ask']> =>
  world.ask('/v1/query', query, bearer);

const errorOf = (body: Record<string, unknown>): { code?: string; field?: string } =>
  (body.error ?? {}) as { code?: string; field?: string };

const confirm = ({ sandbox }: World, requestId: string): void =>
  sandbox.orders.act(sandbox.orders.byRequest(requestId)!, 'confirm');

describe('a page’s attempt that equals the jti of a token', () => {
  it('never reports a page’s order under a jti that equals its attempt', async () => {
    const { events, world } = worldWithEvents();
    const jti = crypto.randomUUID();
    const order_token = await tokenFor(world, jti);
    const shirts = (await pay(world, { sku: 'tee', quantity: 2, attempt: jti })).body.order!;
    expect(shirts.intent_id).to.match(/^web\.[a-z2-7]{26}$/);
    confirm(world, shirts.request_id);
    await until(async () => {
      const row = await findOrder(world.ledger, shirts.request_id);
      return row?.outcome === 'succeeded';
    }, 'the shirts are paid');

    const unknown = await backendQuery(world, { intent_id: jti });
    expect(errorOf(unknown.body).code).to.equal('order_unknown');

    const piano = (await pay(world, { order_token })).body.order!;
    expect(piano.request_id).not.to.equal(shirts.request_id);
    const { body } = await backendQuery(world, { intent_id: jti });
    expect(body.order).to.include({
      intent_id: jti,
      request_id: piano.request_id,
      outcome: 'pending',
      mode: 'token',
      amount: '500.00',
    });
    expect((body.orders as unknown[]).length).to.equal(1);

    await world.relay.tick();
    const shirtEvents = events.filter(({ data }) => data.request_id === shirts.request_id);
    expect(shirtEvents.map(({ type }) => type)).to.have.members([
      'order.created',
      'order.succeeded',
    ]);
    for (const { data } of shirtEvents)
      expect(data).to.include({
        intent_id: shirts.intent_id,
        mode: 'catalogue',
        sku: 'tee',
        quantity: 2,
        amount: '39.80',
        currency: 'USD',
      });
    const others = events.filter(({ data }) => data.request_id !== shirts.request_id);
    expect(others.map(({ data, type }) => [type, data.intent_id, data.amount])).to.deep.equal([
      ['order.created', jti, '500.00'],
    ]);
  });

  it('places a page’s order separately when a jti equals its attempt', async () => {
    const world = createWorld();
    const jti = crypto.randomUUID();
    const piano = (await pay(world, { order_token: await tokenFor(world, jti) })).body.order!;
    const shirt = { sku: 'tee', attempt: jti };
    expect((await world.ask('/v1/checkout', shirt)).body.order).to.equal(undefined);
    const { order } = (await pay(world, shirt)).body;
    expect(order?.request_id).not.to.equal(piano.request_id);
    expect(order?.amount).to.equal('19.90');
    expect(world.pays().map(({ amount }) => amount)).to.deep.equal(['500.00', '19.90']);
  });
});

describe('an attempt', () => {
  it('refuses an attempt that equals a request_id, and sends nothing', async () => {
    const world = createWorld();
    const { request_id } = (await pay(world, openIntent)).body.order!;
    const { body, status } = await pay(world, { ...openIntent, attempt: request_id });
    expect([status, errorOf(body).field]).to.deep.equal([400, 'attempt']);
    expect(world.pays().length).to.equal(1);
  });

  it('refuses an attempt that comes again with other content, and sends nothing', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    await pay(world, { ...openIntent, attempt });
    for (const other of [{ sku: 'tee' }, { ...openIntent, amount: '1' }]) {
      const { body } = await pay(world, { ...other, attempt });
      expect(errorOf(body).code).to.equal('intent_conflict');
    }
    expect(world.pays().length).to.equal(1);
  });
});

describe("the backend's query", () => {
  it('answers the backend 409 with the field when amount or currency differs', async () => {
    const world = createWorld();
    const jti = crypto.randomUUID();
    const { request_id } = (await pay(world, { order_token: await tokenFor(world, jti) })).body
      .order!;
    for (const named of [{ intent_id: jti }, { request_id }]) {
      const wrongAmount = await backendQuery(world, {
        ...named,
        expect: { amount: '1.00', currency: 'USD' },
      });
      expect(wrongAmount.status).to.equal(409);
      expect(errorOf(wrongAmount.body)).to.include({ code: 'not_as_expected', field: 'amount' });
      expect(wrongAmount.body.order).to.equal(undefined);
      const wrongCurrency = await backendQuery(world, {
        ...named,
        expect: { amount: '500.00', currency: 'EUR' },
      });
      expect(wrongCurrency.status).to.equal(409);
      expect(errorOf(wrongCurrency.body)).to.include({
        code: 'not_as_expected',
        field: 'currency',
      });
      const right = await backendQuery(world, {
        ...named,
        expect: { amount: '500', currency: 'USD' },
      });
      expect([right.status, right.body.order?.amount]).to.deep.equal([200, '500.00']);
    }
  });
});

describe('a request_id', () => {
  const requestIdOf = async (
    jti: string,
    config: Partial<ConfigFile> = {},
    ledger = memoryLedger(),
  ): Promise<string> => {
    const world = createWorld({ config, ledger });
    const { order } = (await pay(world, { order_token: await tokenFor(world, jti) })).body;
    expect(order?.request_id).to.match(REQUEST_ID);
    expect(world.pays().map(({ request_id }) => request_id)).to.deep.equal([order?.request_id]);
    return order?.request_id ?? '';
  };

  it('derives another request_id when public_url, mode or key differs', async () => {
    const jti = crypto.randomUUID();
    const ids = [
      await requestIdOf(jti, KEY_A),
      await requestIdOf(jti, { ...KEY_A, public_url: 'https://other.example/pay' }),
      await requestIdOf(jti, { ...KEY_A, mode: 'live' }),
      await requestIdOf(jti, KEY_B),
    ];
    expect(new Set(ids).size).to.equal(4);
    expect(ids).not.to.include(jti);
  });

  it('derives the same request_id on an emptied ledger when the key is the same', async () => {
    const jti = crypto.randomUUID();
    expect(await requestIdOf(jti, KEY_A)).to.equal(await requestIdOf(jti, KEY_A));

    const first = memoryLedger();
    const minted = await requestIdOf(jti, {}, first);
    const emptied = memoryLedger();
    await emptied.keepSetting('request_id_key', (await first.setting('request_id_key')) ?? '');
    expect(await requestIdOf(jti, {}, emptied)).to.equal(minted);
    expect(await requestIdOf(jti)).not.to.equal(minted);
  });

  it('derives the same request_id for an attempt, and another for a replacement', async () => {
    const attempt = crypto.randomUUID();
    const orders: string[][] = [];
    for (const world of [createWorld({ config: KEY_A }), createWorld({ config: KEY_A })]) {
      const first = (await pay(world, { ...openIntent, attempt })).body.order!;
      const { order_key, request_id } = first;
      const replaces = { request_id, order_key };
      const second = (await pay(world, { ...openIntent, attempt, replaces })).body.order!;
      orders.push([first.intent_id, request_id, second.request_id]);
    }
    expect(orders[0]).to.deep.equal(orders[1]);
    expect(new Set(orders[0]).size).to.equal(3);
  });
});

describe('a pay that the service refuses', () => {
  it('adopts no order that the service has under an identifier of the page', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const jti = crypto.randomUUID();
    const order_token = await tokenFor(world, jti);
    for (const request_id of [attempt, jti]) {
      const fields = { request_id, amount: '19.90', currency: 'USD' };
      const foreign = world.sandbox.orders.add('pay', fields, () => ({}));
      world.sandbox.orders.setStatus(foreign!, 20);
    }
    for (const body of [{ sku: 'tee', attempt }, { order_token }]) {
      world.sandbox.faults.add({ operation: 'pay', fault: 'refusal', value: '5001' });
      const { order } = (await pay(world, body)).body;
      expect(order?.outcome).to.equal('failed');
    }
    const sentIds = world.sandbox.calls.map(
      (call) => (call.body as { request_id: string }).request_id,
    );
    expect(sentIds.length).to.equal(4);
    for (const id of sentIds) expect(id).to.match(REQUEST_ID);
  });

  it('starts a review when a refused pay’s request_id has a paid order', async () => {
    const attempt = crypto.randomUUID();
    const body = { sku: 'tee', attempt };
    const expectedId = (await pay(createWorld({ config: KEY_A }), body)).body.order!.request_id;
    const world = createWorld({ config: KEY_A });
    const fields = { request_id: expectedId, amount: '19.90', currency: 'USD' };
    world.sandbox.orders.setStatus(
      world.sandbox.orders.add('pay', fields, () => ({}))!,
      20,
    );
    world.sandbox.faults.add({ operation: 'pay', fault: 'refusal', value: '5001' });
    const { order } = (await pay(world, body)).body;
    expect(order).to.include({ request_id: expectedId, outcome: 'review' });
    const row = await findOrder(world.ledger, expectedId);
    expect(row?.review_reason).to.equal('paid_before_answer');
  });
});

describe('a jti', () => {
  it('neither signs nor accepts a jti that equals the intent_id of a page', async () => {
    const world = createWorld();
    const { intent_id } = (await pay(world, openIntent)).body.order!;
    const signed = await world.ask('/v1/order-tokens', { ...claims, jti: intent_id }, bearer);
    expect([signed.status, errorOf(signed.body).field]).to.deep.equal([400, 'jti']);

    const now = Math.floor(Date.now() / 1000);
    const order_token = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'pay-order+jwt', kid: 'k1' })
      .setJti(intent_id)
      .setAudience('https://shop.example/pay')
      .setIssuedAt(now)
      .setExpirationTime(now + 600)
      .sign(new TextEncoder().encode(SECRETS.TOKEN));
    const { body, status } = await pay(world, { order_token });
    expect([status, errorOf(body).code]).to.deep.equal([401, 'token_invalid']);
    expect(world.pays().length).to.equal(1);
  });
});

describe('an order_key', () => {
  it('accepts none of ten thousand guessed order_keys', async () => {
    const GUESSES = 10_000;
    const AT_ONCE = 100;
    const world = createWorld();
    const { order_key, request_id } = (await pay(world, openIntent)).body.order!;
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const guess = (index: number): string => {
      // half of the guesses change one letter of the true key; the others are random
      if (index % 2 === 0) {
        const at = 2 + (index % (order_key.length - 2));
        const other = letters[(letters.indexOf(order_key[at] ?? '') + 4) % 64] ?? '';
        return order_key.slice(0, at) + other + order_key.slice(at + 1);
      }
      const bytes = crypto.getRandomValues(new Uint8Array(43));
      return `m.${Array.from(bytes, (byte) => letters[byte % 64]).join('')}`;
    };
    const codes = new Set<unknown>();
    for (let from = 0; from < GUESSES; from += AT_ONCE) {
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, offset) =>
          world.ask('/v1/query', { request_id, order_key: guess(from + offset) }),
        ),
      );
      for (const { body } of answers) codes.add(errorOf(body).code);
    }
    expect([...codes]).to.deep.equal(['order_unknown']);
    const { status } = await world.ask('/v1/query', { request_id, order_key });
    expect(status).to.equal(200);
  });
});

describe('a ledger', () => {
  const configWith = (change: Partial<ConfigFile>): ReturnType<typeof parseConfig> =>
    parseConfig({ ...testConfig, ...change }, (reference) =>
      'env' in reference ? SECRETS[reference.env] : undefined,
    );
  const bind = async (
    config: Partial<ConfigFile>,
    ledger: ReturnType<typeof memoryLedger>,
  ): Promise<string> =>
    bindLedger(configWith(config), ledger).then(
      () => 'bound',
      (error: unknown) => String(error),
    );

  it('binds a ledger to one request_id_key, whether configured or generated', async () => {
    const configured = memoryLedger();
    expect(await bind(KEY_A, configured)).to.equal('bound');
    expect(await bind(KEY_A, configured)).to.equal('bound');
    expect(await bind(KEY_B, configured)).to.include('request_id_key');
    expect(await bind({}, configured)).to.include('request_id_key');

    const minted = memoryLedger();
    expect(await bind({}, minted)).to.equal('bound');
    expect(await bind({}, minted)).to.equal('bound');
    expect(await bind(KEY_A, minted)).to.include('request_id_key');
  });

  it('accepts the key that the ledger made, and says where that key is', async () => {
    const ledger = memoryLedger();
    await bind({}, ledger);
    expect(await bind(KEY_A, ledger)).to.match(/leave the field out, .*setting "request_id_key"/);
    SECRETS.MINTED = (await ledger.setting('request_id_key')) ?? '';
    expect(await bind({ request_id_key: { env: 'MINTED' } }, ledger)).to.equal('bound');
    expect(await bind(KEY_A, ledger)).to.include('leave the field out');

    const configured = memoryLedger();
    await bind(KEY_A, configured);
    // a start without the key makes one, which is not the one that the ledger was used with
    await bind({}, configured);
    expect(await bind(KEY_B, configured)).to.include('put that one back');
  });

  it('places no order when the request_id_key differs, and /readyz says so', async () => {
    const ledger = memoryLedger();
    await bind(KEY_A, ledger);
    const world = createWorld({ ledger, config: KEY_B });
    expect((await pay(world, openIntent)).status).to.equal(500);
    expect(world.pays()).to.deep.equal([]);
    const ready = await world.relay.fetch(new Request('https://shop.example/readyz'));
    expect(ready.status).to.equal(503);
    expect(await ready.json()).to.include({ keys: 'unavailable', ledger: 'ok' });
  });
});
