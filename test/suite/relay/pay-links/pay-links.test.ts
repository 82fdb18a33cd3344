/** A shop makes pay links, and customers pay through them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { memoryLimiter } from '../../../../relay/node/limits.js';
import { systemClock } from '../../../../relay/runtime.js';
import {
  bearer,
  createWorld,
  readSecret,
  testConfig,
  until,
  type World,
} from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { codeOf, createShop, ledgers, type Shop } from '../routes/shop.js';
import {
  addLostOrder,
  findOrder,
  beforeChanges,
  replaceOrder,
} from '../../support/ledger-calls.js';

const folder = temporaryFolder('pay-links');

const DAY_S = 86_400;
const sale = {
  amount: '12.50',
  currency: 'USD',
  product_name: 'A tree',
  customer_ref_id: 'c-1',
  expires_in: 3600,
};

type Link = { pay_link_id: string; url: string; token: string };

async function newLink(shop: Shop, change: Record<string, unknown> = {}): Promise<Link> {
  const { body, status } = await shop.ask('/v1/pay-links', { ...sale, ...change });
  assert.equal(status, 200, JSON.stringify(body));
  const { pay_link_id, url } = body as { pay_link_id: string; url: string };
  return { pay_link_id, url, token: url.split('/p/')[1] ?? '' };
}

const browser = () => crypto.randomUUID();
const viewLink = (shop: Shop, { token }: Link, attempt: string) =>
  shop.world.ask('/v1/checkout', { order_token: token, attempt });
const payBy = (shop: Shop, { token }: Link, attempt: string, more: Record<string, unknown> = {}) =>
  shop.world.ask('/v1/pay', { order_token: token, attempt, option: 'qr', ...more });
const revoke = (shop: Shop, pay_link_id: string) =>
  shop.ask('/v1/pay-links/revoke', { pay_link_id });

async function expire({ world }: Shop, request_id: string): Promise<void> {
  const placed = world.sandbox.orders.byRequest(request_id);
  assert.ok(placed);
  world.sandbox.orders.setStatus(placed, 40);
}

/** A clock that a test can set forward. */
function forwardClock() {
  const ahead = { ms: 0 };
  const now = (): number => systemClock.now() + ahead.ms;
  const elapsed = (): number => systemClock.elapsed() + ahead.ms;
  return { ahead, clock: { ...systemClock, now, elapsed } };
}

for (const [name, open] of Object.entries(ledgers))
  describe(`pay links on ${name}`, () => {
    const newShop = async (): Promise<Shop> => createShop({ ledger: await open(folder) });

    it(`${name}: places nothing and takes no use of a link before a customer pays`, async () => {
      const shop = await newShop();
      const link = await newLink(shop, { uses: 2 });
      for (let views = 0; views < 3; views++) {
        const shown = await viewLink(shop, link, browser());
        assert.equal(shown.status, 200);
        assert.equal((shown.body.checkout as { amount: string }).amount, '12.50');
        assert.equal(shown.body.order, undefined);
        const page = await shop.world.relay.fetch(new Request(link.url.replace('/pay/', '/')));
        assert.equal(page.status, 200);
      }
      assert.deepEqual(shop.world.sandbox.calls, []);
      assert.deepEqual((await shop.ask('/v1/orders', {})).body.orders, []);
      assert.equal((await payBy(shop, link, browser())).status, 200);
      assert.equal((await payBy(shop, link, browser())).status, 200);
    });

    it(`${name}: leads an address with a slash at its end to the page`, async () => {
      const shop = await newShop();
      const link = await newLink(shop, { uses: 2 });
      for (const address of [link.url, 'https://shop.example/pay/r']) {
        const slashed = await shop.world.relay.fetch(
          new Request(`${address.replace('/pay/', '/')}/`),
        );
        assert.equal(slashed.status, 302);
        const location = slashed.headers.get('location') ?? '';
        assert.equal(new URL(location, `${address}/`).href, address);
      }
    });

    it(`${name}: opens one intent, with the jti as its id, when a link has one use`, async () => {
      const shop = await newShop();
      const link = await newLink(shop, { jti: 'invoice-7', metadata: { invoice: '7' } });
      const first = await payBy(shop, link, browser());
      assert.equal(first.body.order?.intent_id, 'invoice-7');
      const second = await payBy(shop, link, browser());
      assert.equal(second.body.order?.request_id, first.body.order?.request_id);
      const shown = await viewLink(shop, link, browser());
      assert.equal(shown.body.order?.request_id, first.body.order?.request_id);
      assert.equal(shop.world.pays().length, 1);
      await shop.customerPays(first.body.order?.request_id ?? '');
      await until(
        async () => (await shop.query('invoice-7')).body.order?.outcome === 'succeeded',
        'the payment',
      );
      const known = (await shop.query('invoice-7')).body.order as unknown as {
        mode: string;
        metadata: unknown;
      };
      assert.deepEqual([known.mode, known.metadata], ['token', { invoice: '7' }]);
      assert.equal((await payBy(shop, link, browser())).body.order?.outcome, 'succeeded');
      assert.equal(shop.world.pays().length, 1);
    });

    it(`${name}: opens an intent for each browser when a link has several uses`, async () => {
      const shop = await newShop();
      const link = await newLink(shop, { uses: 2 });
      const [one, two] = [browser(), browser()];
      const paid = await Promise.all([
        payBy(shop, link, one),
        payBy(shop, link, one),
        payBy(shop, link, two),
      ]);
      const intents = paid.map(({ body }) => body.order?.intent_id);
      assert.equal(intents[0], intents[1]);
      assert.equal(new Set(intents).size, 2);
      for (const intent of intents)
        assert.match(intent ?? '', new RegExp(`^${link.pay_link_id}-[a-z2-7]{26}$`));
      assert.equal(shop.world.pays().length, 2);
      const reloaded = await viewLink(shop, link, one);
      assert.equal(reloaded.body.order?.request_id, paid[0].body.order?.request_id);
      const third = browser();
      for (const refused of [await viewLink(shop, link, third), await payBy(shop, link, third)])
        assert.deepEqual([refused.status, codeOf(refused)], [409, 'intent_closed']);
      assert.equal(shop.world.pays().length, 2);
    });

    it(`${name}: takes no use of a link when a pay is refused`, async () => {
      const shop = await newShop();
      const link = await newLink(shop, { uses: 2, options: ['qr', 'asks'] });
      for (const [more, code] of [
        [{ option: 'nothing' }, 'option_unknown'],
        [{ option: 'card' }, 'option_not_available'],
        [{ option: 'asks' }, 'customer_data_required'],
        [{ amount: '1' }, 'token_contradicted'],
      ] as const)
        assert.equal(codeOf(await payBy(shop, link, browser(), more)), code);
      for (const customer of [browser(), browser()])
        assert.equal((await payBy(shop, link, customer)).status, 200);
    });

    it(`${name}: frees a use when the pay never reached the service`, async () => {
      const { ahead, clock } = forwardClock();
      // the relay does not send an order whose claim took this long
      let slownessMs = 2500;
      const ledger = beforeChanges(await open(folder), 'claims', () => (ahead.ms += slownessMs));
      const shop = await createShop({ ledger, clock });
      const link = await newLink(shop, { uses: 2 });
      const early = [browser(), browser()];
      const unsent = await Promise.all(early.map((customer) => payBy(shop, link, customer)));
      assert.deepEqual(unsent.map(codeOf), ['service_unavailable', 'service_unavailable']);
      slownessMs = 0;
      for (const customer of [browser(), browser()])
        assert.equal((await payBy(shop, link, customer)).body.order?.outcome, 'pending');
      // the link is used up now, also for the browsers whose orders never reached the service
      for (const customer of [browser(), ...early])
        assert.equal(codeOf(await payBy(shop, link, customer)), 'intent_closed');
      assert.equal(shop.world.pays().length, 2);
    });

    it(`${name}: gives a use back when its order expires, and counts a late payment`, async () => {
      const shop = await newShop();
      const link = await newLink(shop, { uses: 2 });
      const ended = async (intent_id: string, outcome: string): Promise<void> =>
        until(async () => (await shop.query(intent_id)).body.order?.outcome === outcome, outcome);
      const orderOf = async (customer: string) => {
        const { order } = (await payBy(shop, link, customer)).body;
        assert.ok(order);
        return order;
      };
      const payer = await orderOf(browser());
      await shop.customerPays(payer.request_id);
      await ended(payer.intent_id, 'succeeded');
      const [one, two] = [browser(), browser()];
      const first = await orderOf(one);
      assert.equal(codeOf(await payBy(shop, link, two)), 'intent_closed');
      await expire(shop, first.request_id);
      await ended(first.intent_id, 'expired');
      const second = await orderOf(two);
      assert.equal(codeOf(await payBy(shop, link, browser())), 'intent_closed');
      for (const { intent_id, request_id } of [first, second]) {
        await shop.customerPays(request_id);
        await ended(intent_id, 'succeeded');
      }
      assert.equal(codeOf(await payBy(shop, link, browser())), 'intent_closed');
      const payments = async () =>
        (await shop.receivedTypes()).filter((type) => type === 'order.succeeded').length;
      await until(async () => (await payments()) === 3, 'the events of three payments');
      for (const customer of [one, two])
        assert.equal((await viewLink(shop, link, customer)).body.order?.outcome, 'succeeded');
      assert.equal(shop.world.pays().length, 3);
    });

    it(`${name}: tells both payments when a single use was ordered by two browsers`, async () => {
      const shop = await newShop();
      const link = await newLink(shop, { jti: 'invoice-5' });
      const first = (await payBy(shop, link, browser())).body.order;
      await expire(shop, first?.request_id ?? '');
      const outcome = async () => (await shop.query('invoice-5')).body.order?.outcome;
      await until(async () => (await outcome()) === 'expired', 'the end');
      const two = browser();
      const { order_key, request_id } = (await viewLink(shop, link, two)).body.order ?? {};
      assert.equal(request_id, first?.request_id);
      const replaces = { order_key, request_id };
      const second = (await payBy(shop, link, two, { replaces })).body.order;
      await shop.customerPays(second?.request_id ?? '');
      await until(async () => (await outcome()) === 'succeeded', 'the payment');
      await shop.customerPays(first?.request_id ?? '');
      const told = async () =>
        (await shop.receivedTypes()).filter((type) => /succeeded|duplicate/.test(type)).join();
      await until(
        async () => (await told()) === 'order.succeeded,order.duplicate_payment',
        'both payments',
      );
      assert.equal((await payBy(shop, link, browser())).body.order?.outcome, 'succeeded');
      assert.equal(shop.world.pays().length, 2);
    });

    it(`${name}: places nothing when a link is revoked while the pay is under way`, async () => {
      for (const uses of [1, 3]) {
        let revokeNow = async (): Promise<void> => {};
        const ledger = beforeChanges(await open(folder), 'claims', () => revokeNow());
        const shop = await createShop({ ledger });
        const link = await newLink(shop, { uses });
        revokeNow = async () => void (await revoke(shop, link.pay_link_id));
        assert.equal(codeOf(await payBy(shop, link, browser())), 'intent_closed');
        assert.deepEqual(shop.world.pays(), []);
      }
    });

    it(`${name}: refuses a return_url of a page when its host is not the shop's`, async () => {
      const shop = await newShop();
      for (const uses of [1, 3]) {
        const link = await newLink(shop, { uses });
        for (const url of [
          'https://evil.example/',
          'http://shop.example/',
          'https://a@evil.example',
        ])
          for (const refused of [
            await payBy(shop, link, browser(), { return_url: url }),
            await shop.world.ask('/v1/checkout', { order_token: link.token, return_url: url }),
          ])
            assert.deepEqual([refused.status, codeOf(refused)], [400, 'return_host_refused'], url);
      }
      assert.deepEqual(shop.world.pays(), []);
    });

    it(`${name}: refuses a revoked link, but still shows an order that was placed`, async () => {
      const shop = await newShop();
      for (const uses of [1, 5]) {
        const link = await newLink(shop, { uses });
        const unused = await newLink(shop, { uses });
        const customer = browser();
        const order = (await payBy(shop, link, customer)).body.order;
        const revoked = await revoke(shop, link.pay_link_id);
        assert.equal(revoked.status, 200);
        assert.deepEqual((await revoke(shop, link.pay_link_id)).body, revoked.body);
        await revoke(shop, unused.pay_link_id);
        assert.equal(
          (await viewLink(shop, link, customer)).body.order?.request_id,
          order?.request_id,
        );
        const { order_key, request_id } = order ?? {};
        const another = { replaces: { order_key, request_id }, option: 'card' };
        for (const refused of [
          await payBy(shop, link, customer, another),
          await viewLink(shop, unused, customer),
          await payBy(shop, unused, customer),
        ])
          assert.deepEqual([refused.status, codeOf(refused)], [409, 'intent_closed']);
      }
      assert.equal(shop.world.pays().length, 2);
      assert.equal((await revoke(shop, 'pl_nobody')).status, 404);
    });

    it(`${name}: places nothing when a link has expired, but shows its order`, async () => {
      const { ahead, clock } = forwardClock();
      const shop = await createShop({ ledger: await open(folder), clock });
      for (const uses of [1, 5]) {
        const link = await newLink(shop, { uses, expires_in: 90 * DAY_S });
        const unused = await newLink(shop, { uses });
        const customer = browser();
        ahead.ms += 89 * DAY_S * 1000;
        const order = (await payBy(shop, link, customer)).body.order;
        assert.equal(order?.outcome, 'pending');
        ahead.ms += 1.5 * DAY_S * 1000;
        const shown = (await viewLink(shop, link, customer)).body.order;
        assert.equal(shown?.request_id, order.request_id);
        for (const expired of [
          await payBy(shop, unused, customer),
          await viewLink(shop, unused, customer),
        ])
          assert.deepEqual([expired.status, codeOf(expired)], [401, 'token_expired']);
        ahead.ms += DAY_S * 1000;
        assert.equal(codeOf(await viewLink(shop, link, customer)), 'token_expired');
      }
    });

    it(`${name}: opens a new link of a ledger that a clock a year ahead created`, async () => {
      const ledger = await open(folder);
      const now = (): number => systemClock.now() + 365 * DAY_S * 1000;
      const early = await createShop({ ledger, clock: { ...systemClock, now } });
      await early.world.relay.tick();
      const shop = await createShop({ ledger });
      const { body } = await shop.ask('/v1/pay-links', sale);
      const { expires_at, url } = body as { expires_at: string; url: string };
      const leftMs = Date.parse(expires_at) - Date.now();
      assert.ok(leftMs > 3_500_000 && leftMs <= 3_600_000, expires_at);
      const token = url.split('/p/')[1] ?? '';
      assert.equal((await payBy(shop, { token, url, pay_link_id: '' }, browser())).status, 200);
    });

    it(`${name}: places nothing when the clock steps back after a link has expired`, async () => {
      let stepMs = 0;
      const { ahead, clock: forward } = forwardClock();
      const clock = { ...forward, now: () => forward.now() + stepMs };
      const shop = await createShop({ ledger: await open(folder), clock });
      const link = await newLink(shop, { uses: 1, expires_in: 60 });
      ahead.ms += 120_000;
      await shop.world.relay.tick();
      stepMs = -3_600_000;
      assert.equal(codeOf(await payBy(shop, link, browser())), 'token_expired');
    });

    it(`${name}: answers token_invalid when no link has the token`, async () => {
      const shop = await newShop();
      const { pay_link_id } = await newLink(shop);
      for (const token of ['a'.repeat(26), pay_link_id, `${pay_link_id}-1`]) {
        const guessed = { token, pay_link_id, url: '' };
        for (const refused of [
          await viewLink(shop, guessed, browser()),
          await payBy(shop, guessed, browser()),
        ])
          assert.deepEqual([refused.status, codeOf(refused)], [401, 'token_invalid'], token);
      }
      assert.deepEqual(shop.world.pays(), []);
    });
  });

describe('a request for a pay link', () => {
  const refusals: [string, Record<string, unknown>, string, string?][] = [
    ['no use', { uses: 0 }, 'uses'],
    ['half a use', { uses: 1.5 }, 'uses'],
    ['an expiry after 91 days', { expires_in: 91 * DAY_S }, 'expires_in'],
    ['no expiry', { expires_in: undefined }, 'expires_in'],
    ['an expiry in the past', { expires_in: -1 }, 'expires_in'],
    ['an amount of zero', { amount: '0' }, 'amount'],
    ['an amount that is a number', { amount: 12.5 }, 'amount'],
    ['a jti for many uses', { jti: 'invoice-7', uses: 2 }, 'jti'],
    ['a jti of another form', { jti: 'a b' }, 'jti'],
    ['a Hangul filler in its name', { product_name: 'A\u3164tree' }, 'product_name'],
    ['a variation selector in its remark', { remark: 'A\ufe00tree' }, 'remark'],
    ['metadata of 21 keys', { metadata: keys(21) }, 'metadata'],
    ['an unknown field', { price: '1' }, 'price'],
    ['a foreign return_url', { return_url: 'https://evil.example/' }, 'return_url', 'host'],
  ];
  for (const [what, change, field, kind] of refusals)
    it(`refuses a new pay link and names ${field} when it has ${what}`, async () => {
      const shop = await createShop();
      const { body, status } = await shop.ask('/v1/pay-links', { ...sale, ...change });
      const error = body.error as { code: string; field: string };
      const code = kind === 'host' ? 'return_host_refused' : 'invalid_request';
      assert.deepEqual([status, error.code, error.field], [400, code, field]);
    });

  it('refuses to make or revoke a pay link without the secret key', async () => {
    const { world } = await createShop();
    for (const path of ['/v1/pay-links', '/v1/pay-links/revoke'])
      assert.equal((await world.ask(path, sale)).status, 401);
  });

  it('refuses a link when its jti is paid, or its intent ends before the link does', async () => {
    const { ahead, clock } = forwardClock();
    const shop = await createShop({ clock, config: { limits: { retention_days: 30 } } });
    const { request_id = '' } = (await shop.pay('invoice-3')).body.order ?? {};
    ahead.ms += 10 * DAY_S * 1000;
    const ask = (days: number) =>
      shop.ask('/v1/pay-links', { ...sale, jti: 'invoice-3', expires_in: days * DAY_S });
    assert.equal((await ask(19)).status, 200);
    assert.equal(codeOf(await ask(21)), 'invalid_request');
    await shop.customerPays(request_id);
    const isPaid = async () => (await shop.query('invoice-3')).body.order?.outcome === 'succeeded';
    await until(isPaid, 'the payment');
    assert.equal(codeOf(await ask(19)), 'already_paid');
    const other = await shop.ask('/v1/pay-links', { ...sale, jti: 'invoice-3', amount: '9' });
    assert.equal(codeOf(other), 'already_paid');
  });

  it('refuses a new pay link when its jti was sold with other content, or closed', async () => {
    const shop = await createShop();
    await shop.pay('invoice-8');
    const same = await shop.ask('/v1/pay-links', { ...sale, jti: 'invoice-8' });
    assert.equal(same.status, 200);
    const other = await shop.ask('/v1/pay-links', { ...sale, jti: 'invoice-8', amount: '9' });
    assert.equal(codeOf(other), 'intent_conflict');
    await shop.ask('/v1/close', { intent_id: 'invoice-9' });
    const closed = await shop.ask('/v1/pay-links', { ...sale, jti: 'invoice-9' });
    assert.equal(codeOf(closed), 'intent_closed');
  });

  it('refuses a new pay link when the intent of its jti takes no further order', async () => {
    const shop = await createShop();
    const { request_id = '' } = (await shop.pay('invoice-10')).body.order ?? {};
    const first = await findOrder(shop.world.ledger, request_id);
    assert.ok(first);
    const ask = () => shop.ask('/v1/pay-links', { ...sale, jti: 'invoice-10' });
    for (const [ordinal, refused] of [
      [19, undefined],
      [20, 'too_many_replacements'],
    ] as const) {
      const lost: OrderRow = { ...first, request_id: `r${ordinal}`, ordinal };
      assert.equal(await addLostOrder(shop.world.ledger, lost), true);
      assert.equal(codeOf(await ask()), refused);
    }
  });

  it('refuses a new pay link when five endless orders of its intent are open', async () => {
    const shop = await createShop();
    const { request_id = '' } = (await shop.pay('invoice-11')).body.order ?? {};
    const first = await findOrder(shop.world.ledger, request_id);
    assert.ok(first);
    for (const ordinal of [2, 3, 4, 5]) {
      const other: OrderRow = { ...first, request_id: `e${ordinal}`, ordinal, expires_at: null };
      assert.equal(await addLostOrder(shop.world.ledger, other), true);
    }
    await replaceOrder(shop.world.ledger, { ...first, expires_at: null, version: 3 });
    const refused = await shop.ask('/v1/pay-links', { ...sale, jti: 'invoice-11' });
    assert.equal(codeOf(refused), 'too_many_replacements');
  });

  it('refuses a new pay link and a new token when they list an unknown option', async () => {
    const shop = await createShop();
    const claims = { ...sale, options: ['qr', 'nope'] };
    for (const path of ['/v1/pay-links', '/v1/order-tokens']) {
      const { body, status } = await shop.ask(path, claims);
      const error = body.error as { code: string; field: string } | undefined;
      assert.deepEqual(
        [status, error?.code, error?.field],
        [404, 'option_unknown', 'options'],
        path,
      );
    }
  });

  it('takes no second payment by a link that is longer than a lowered retention', async () => {
    const { ahead, clock } = forwardClock();
    const before = await createShop({ clock });
    const { ledger, sandbox } = before.world;
    const long = await newLink(before, { jti: 'invoice-80', expires_in: 80 * DAY_S });
    const { request_id = '' } = (await payBy(before, long, browser())).body.order ?? {};
    await before.customerPays(request_id);
    const isPaid = async () =>
      (await before.query('invoice-80')).body.order?.outcome === 'succeeded';
    await until(isPaid, 'the payment');
    await before.world.relay.close();
    const limits = { retention_days: 30 };
    const shop = await createShop({ clock, ledger, sandbox, config: { limits } });
    ahead.ms += 79 * DAY_S * 1000;
    // they expire later, so the relay reads them first
    for (let links = 0; links < 101; links++) await newLink(shop, { expires_in: 30 * DAY_S });
    await shop.world.relay.tick();
    const again = (await payBy(shop, long, browser())).body.order;
    assert.deepEqual([again?.request_id, again?.outcome], [request_id, 'succeeded']);
    assert.equal(shop.world.pays().length, 1);
    ahead.ms += 3 * DAY_S * 1000;
    await shop.world.relay.tick();
    assert.equal(await ledger.intent('invoice-80'), null);
  });

  it('refuses a new pay link when it would outlive its orders in the ledger', async () => {
    const shop = await createShop({ config: { limits: { retention_days: 30 } } });
    const long = await shop.ask('/v1/pay-links', { ...sale, expires_in: 31 * DAY_S });
    assert.equal((long.body.error as { field: string }).field, 'expires_in');
    assert.equal(
      (await shop.ask('/v1/pay-links', { ...sale, expires_in: 30 * DAY_S })).status,
      200,
    );
  });
});

describe('the limits of a pay link', () => {
  const limits = { new_intents_per_ip_per_hour: 2 };
  it('limits the intents that one address opens through a link with many uses', async () => {
    const config = parseConfig({ ...testConfig, limits }, readSecret);
    const world = createWorld({ config: { limits }, limiter: memoryLimiter(() => config.limits) });
    const made = await world.ask('/v1/pay-links', { ...sale, uses: 100 }, bearer);
    const order_token = String(made.body.url).split('/p/')[1];
    const pay = async (): Promise<string | undefined> => {
      const body = JSON.stringify({ order_token, option: 'qr', attempt: browser() });
      const headers = { 'content-type': 'application/json' };
      const request = new Request('https://shop.example/v1/pay', { method: 'POST', headers, body });
      const response = await world.relay.fetch(request, { address: '192.0.2.1' });
      return codeOf({ body: (await response.json()) as Record<string, unknown> });
    };
    assert.deepEqual(
      [await pay(), await pay(), await pay()],
      [undefined, undefined, 'rate_limited'],
    );
    assert.equal(world.pays().length, 2);
  });
});

describe('the page of a pay link that cannot be shown', () => {
  const policy = (response: Response): string =>
    response.headers.get('content-security-policy') ?? '';
  const open = (world: World, url: string): Promise<Response> =>
    Promise.resolve(world.relay.fetch(new Request(url), { address: '192.0.2.1' }));

  for (const [what, limiter, failing, status, retryAfter, says] of [
    ['a reached rate limit', async () => false, false, 429, '60', /try again later/],
    ['a ledger that is out', undefined, true, 503, null, /reload the page/],
  ] as const)
    it(`gives the customer the page, and a program JSON, after ${what}`, async () => {
      const inner = memoryLedger();
      const payLink = () => Promise.reject(new LedgerBusyError('the ledger is busy'));
      const ledger = failing ? { ...inner, payLink } : inner;
      const world = createWorld({ ledger, ...(limiter && { limiter }) });
      const url = `https://shop.example/p/${'a'.repeat(26)}`;
      const page = await open(world, url);
      assert.equal(page.status, status);
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(page.headers.get('retry-after'), retryAfter);
      const reference = page.headers.get('x-reference');
      const line = world.log.find(({ fields }) => fields.reference === reference);
      assert.equal(line?.fields.path, '/p/:token');
      assert.match(policy(page), /script-src 'self'/);
      assert.match(await page.text(), says);
      const image = await open(world, `${url}/qr.svg`);
      assert.deepEqual([image.status, image.headers.get('retry-after')], [status, retryAfter]);
      assert.match(policy(image), /default-src 'none'/);
      assert.equal(image.headers.get('cache-control'), 'no-store');
    });

  it('does not advise to reload the page of a revoked link', async () => {
    const shop = await createShop();
    const link = await newLink(shop);
    await revoke(shop, link.pay_link_id);
    const page = await open(shop.world, link.url.replace('/pay/', '/'));
    assert.equal(page.status, 410);
    const text = await page.text();
    assert.match(text, /Open the newest message from the shop/);
    assert.doesNotMatch(text, /reload/);
  });
});

function keys(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));
}
