/** A relay takes another configuration while orders and requests are under way. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config, ConfigFile } from '../../../../relay/config/schema.js';
import { DAY_MS } from '../../../../relay/contract/durations.js';
import type { Ledger } from '../../../../relay/ledger/ledger.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import type { OrderRow } from '../../../../relay/ledger/rows.js';
import { collectGarbage } from '../../../../relay/node/process.js';
import { switchOption } from '../../../../relay/operator/options.js';
import { systemClock } from '../../../../relay/runtime.js';
import { createWorld, openIntent, readSecret, testConfig, until } from '../../support/world.js';
import { codeOf } from '../routes/shop.js';

const configOf = (change: Partial<ConfigFile> = {}): Config =>
  parseConfig({ ...testConfig, ...change }, readSecret);

const without = (off: string): Partial<ConfigFile> => ({
  options: (testConfig.options ?? []).map((each) =>
    each.id === off ? { ...each, enabled: false } : each,
  ),
});

const payBy = (option: string) => ({ ...openIntent, attempt: crypto.randomUUID(), option });

/** A signature that ends when it is told to, so that a pay waits right before its claim. */
function gate(): {
  sign: () => Promise<Record<string, string>>;
  reached: () => boolean;
  open(): void;
} {
  let opened = (): void => {};
  let isReached = false;
  const isOpen = new Promise<void>((resolve) => (opened = resolve));
  return {
    sign: async () => {
      isReached = true;
      await isOpen;
      return {};
    },
    reached: () => isReached,
    open: () => opened(),
  };
}

describe('a relay that takes another configuration', () => {
  it('offers the options of the new configuration to the next request', async () => {
    const world = createWorld({ config: without('card') });
    assert.equal((await world.ask('/v1/pay', payBy('card'))).status, 404);
    await world.relay.reload(configOf(without('qr')));
    assert.equal((await world.ask('/v1/pay', payBy('card'))).status, 200);
    assert.equal((await world.ask('/v1/pay', payBy('qr'))).status, 404);
  });

  it('sends no pay whose option was switched off between the request and the claim', async () => {
    const { open, reached, sign } = gate();
    const world = createWorld({ config: { service: { ...testConfig.service, sign } } });
    const pay = world.ask('/v1/pay', payBy('card'));
    await until(reached, 'the pay waits before its claim');
    await world.relay.reload(configOf(without('card')));
    open();
    const { body, status } = await pay;
    assert.equal(status, 404);
    assert.deepEqual((body.error as { code: string }).code, 'option_unknown');
    assert.equal(world.pays().length, 0);
  });

  it('sends a pay under way whose option both configurations have', async () => {
    const { open, reached, sign } = gate();
    const world = createWorld({ config: { service: { ...testConfig.service, sign } } });
    const pay = world.ask('/v1/pay', payBy('card'));
    await until(reached, 'the pay waits before its claim');
    await world.relay.reload(configOf(without('qr')));
    open();
    assert.equal((await pay).status, 200);
    assert.equal(world.pays().length, 1);
  });

  it('places one order when an intent is paid before and after the change at once', async () => {
    const { open, reached, sign } = gate();
    const world = createWorld({ config: { service: { ...testConfig.service, sign } } });
    const body = payBy('card');
    const first = world.ask('/v1/pay', body);
    await until(reached, 'the pay waits before its claim');
    await world.relay.reload(configOf());
    const second = await world.ask('/v1/pay', body);
    open();
    assert.equal((await first).body.order?.request_id, second.body.order?.request_id);
    assert.equal(world.pays().length, 1);
  });

  it('keeps an option switched off that a person has switched off', async () => {
    const ledger = memoryLedger();
    const world = createWorld({ ledger });
    await switchOption(
      { config: configOf(), ledger, ledgerClock: { now: Date.now } },
      { id: 'card', off: true, by: 'a test' },
    );
    await world.relay.reload(configOf());
    assert.equal((await world.ask('/v1/pay', payBy('card'))).status, 404);
  });

  it('sends no pay before it has read which options are switched off', async () => {
    const ledger = memoryLedger();
    await switchOption(
      { config: configOf(), ledger, ledgerClock: { now: Date.now } },
      { id: 'card', off: true, by: 'a test' },
    );
    let isDown = true;
    const settingsFrom: Ledger['settingsFrom'] = async (name) => {
      if (isDown) throw new Error('no connection');
      return ledger.settingsFrom(name);
    };
    const world = createWorld({ ledger: { ...ledger, settingsFrom } });
    const early = await world.ask('/v1/pay', payBy('card'));
    assert.deepEqual([early.status, codeOf(early)], [503, 'ledger_unavailable']);
    isDown = false;
    assert.equal((await world.ask('/v1/pay', payBy('card'))).status, 404);
    assert.equal((await world.ask('/v1/pay', payBy('qr'))).status, 200);
    assert.equal(world.pays().length, 1);
  });

  it('asks page and service to come back with a key that only another relay has', async () => {
    const ledger = memoryLedger();
    const [first, second] = [createWorld({ ledger }), createWorld({ ledger })];
    await first.relay.tick();
    await second.relay.tick();
    const withKey = configOf({ capability_keys: [{ kid: 'c1', secret: { env: 'TOKEN' } }] });
    await first.relay.reload(withKey);
    const { order } = (await first.ask('/v1/pay', payBy('card'))).body;
    assert.ok(order);
    const { order_key, request_id } = order;
    const signal = String(first.pays()[0]?.notify_url).replace('/pay/v1/', '/v1/');
    const answersOfSecond = async () => [
      (await second.ask('/v1/query', { request_id, order_key })).status,
      (await second.ask('/v1/checkout', { resume: { request_id, order_key } })).status,
      (await second.relay.fetch(new Request(signal, { method: 'POST' }))).status,
    ];
    assert.deepEqual(await answersOfSecond(), [503, 503, 503]);
    const forged = { request_id, order_key: `m.${order_key.slice(3)}` };
    assert.equal((await second.ask('/v1/query', forged)).status, 404);
    await second.relay.reload(withKey);
    assert.deepEqual(await answersOfSecond(), [200, 200, 200]);
  });

  it('answers a page that waits, and follows its order when the page asks again', async () => {
    const world = createWorld();
    const { order } = (await world.ask('/v1/pay', payBy('card'))).body;
    assert.ok(order);
    const { order_key, request_id, status } = order;
    const wait = () =>
      world.ask('/v1/query', { request_id, order_key, known_status: status, wait: 50 });
    const waiting = wait();
    await world.relay.tick();
    const began = performance.now();
    await world.relay.reload(configOf());
    assert.equal((await waiting).body.order?.outcome, 'pending');
    assert.ok(performance.now() - began < 10_000, 'at once, and not after 30 to 50 s');
    const again = wait();
    const upstream = world.sandbox.orders.byRequest(request_id);
    assert.ok(upstream);
    world.sandbox.orders.setStatus(upstream, 20);
    const timer = setInterval(() => void world.relay.tick(), 50);
    assert.equal((await again).body.order?.outcome, 'succeeded');
    clearInterval(timer);
  });

  it('asks again about an old order whose status it names, and tells the shop of it', async () => {
    let passed = 0;
    const world = createWorld({
      clock: {
        ...systemClock,
        now: () => Date.now() + passed,
        elapsed: () => systemClock.elapsed() + passed,
      },
      config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
      // nobody signals a change, so the schedule alone asks
      sandboxOptions: { notify: async () => {} },
      shopFetch: async () => new Response(),
    });
    const { request_id = '' } = (await world.ask('/v1/pay', payBy('card'))).body.order ?? {};
    const becomes = (holds: (order: OrderRow) => boolean, what: string): Promise<void> =>
      until(async () => {
        await world.relay.tick();
        const found = await world.ledger.find(request_id);
        return found !== null && holds(found.order);
      }, what);
    const upstream = world.sandbox.orders.byRequest(request_id);
    assert.ok(upstream);
    world.sandbox.orders.setStatus(upstream, 55);
    await becomes(({ outcome }) => outcome === 'unmapped', 'unmapped');
    passed += 5 * DAY_MS;
    await becomes(({ next_check_at }) => next_check_at === null, 'followed no more');
    passed += DAY_MS;
    const statuses = { ...testConfig.statuses, '55': 'succeeded' } as const;
    await world.relay.reload(configOf({ statuses }));
    await becomes(({ outcome }) => outcome === 'succeeded', 'paid');
    const { rows } = await world.ledger.listEvents(null, 10);
    assert.equal(rows.at(-1)?.type, 'order.succeeded');
  });

  it('counts no event that nobody receives, and delivers it once somebody does', async () => {
    const hooks = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
    const shop = { answers: 500 };
    const received: string[] = [];
    const world = createWorld({
      config: { shop_events: hooks },
      shopFetch: async (_url, { body }) => {
        received.push(String(body));
        return new Response(null, { status: shop.answers });
      },
    });
    const { request_id = '' } = (await world.ask('/v1/pay', payBy('card'))).body.order ?? {};
    const upstream = world.sandbox.orders.byRequest(request_id);
    assert.ok(upstream);
    world.sandbox.orders.setStatus(upstream, 20);
    const waiting = async () => (await world.relay.gauges()).outbox_waiting;
    await until(async () => {
      await world.relay.tick();
      return received.some((body) => body.includes('order.succeeded')) && (await waiting()) > 0;
    }, 'a delivery that fails');
    await world.relay.reload(configOf());
    const { outbox_lag_seconds, outbox_waiting } = await world.relay.gauges();
    assert.deepEqual([outbox_waiting, outbox_lag_seconds], [0, 0]);
    await world.relay.reload(configOf({ shop_events: hooks }));
    assert.ok((await waiting()) > 0);
    shop.answers = 200;
    await until(
      async () => (await world.relay.tick(), (await waiting()) === 0),
      'all delivered',
      9000,
    );
  });

  it('is ready for a balancer before, during and after the change', async () => {
    const { relay } = createWorld();
    const readyz = async () =>
      (await relay.fetch(new Request('https://shop.example/readyz'))).status;
    const asked = readyz();
    await relay.reload(configOf());
    assert.deepEqual([await asked, await readyz()], [200, 200]);
  });

  it('refuses a configuration when the relay has stopped', async () => {
    const { relay } = createWorld();
    await relay.close();
    await assert.rejects(relay.reload(configOf()), /the relay is stopping/);
  });

  it('keeps the former configuration when the ledger cannot be read', async () => {
    const ledger = memoryLedger();
    const fails = { now: false };
    const world = createWorld({
      ledger: {
        ...ledger,
        settingsFrom: async (prefix) => {
          if (fails.now) throw new Error('the disk is gone');
          return ledger.settingsFrom(prefix);
        },
      },
    });
    // it reads once which options are off
    await world.relay.tick();
    fails.now = true;
    await assert.rejects(world.relay.reload(configOf(without('card'))), /the disk is gone/);
    assert.equal((await world.ask('/v1/pay', payBy('card'))).status, 200);
  });

  it('sends no more queries than its budget while it reloads again and again', async () => {
    const service = { ...testConfig.service, queries_per_second: 5 };
    const world = createWorld({ config: { service } });
    for (let count = 0; count < 20; count++) await world.ask('/v1/pay', payBy('card'));
    const queries = () => world.sandbox.calls.filter(({ operation }) => operation === 'query');
    const reloadUntil = (enough: number): Promise<void> =>
      until(async () => {
        await world.relay.reload(configOf({ service }));
        void world.relay.tick();
        return queries().length >= enough;
      }, `${enough} queries`);
    await reloadUntil(1);
    const began = performance.now();
    const before = queries().length;
    await reloadUntil(before + 10);
    const seconds = (performance.now() - began) / 1000;
    assert.ok(queries().length - before <= 5 * seconds + 2, `${queries().length} in ${seconds} s`);
    await world.relay.close();
  });

  it('asks about an order that waited for its query when the configuration changed', async () => {
    const service = { ...testConfig.service, queries_per_second: 2 };
    const world = createWorld({ config: { service } });
    for (let count = 0; count < 2; count++) await world.ask('/v1/pay', payBy('card'));
    const queries = () => world.sandbox.calls.filter(({ operation }) => operation === 'query');
    await until(async () => (await world.relay.tick(), queries().length > 0), 'the first query');
    await world.relay.reload(configOf({ service }));
    await until(() => queries().length === 2, 'the second query, without a tick', 8000);
  });

  it('forgets each former configuration', async () => {
    const world = createWorld();
    const former: WeakRef<Config>[] = [];
    for (let count = 0; count < 100; count++) {
      const next = configOf();
      former.push(new WeakRef(next));
      await world.relay.reload(next);
      if (count % 10 === 0) await world.ask('/v1/pay', payBy('card'));
      if (count % 10 === 0) await world.relay.tick();
    }
    const alive = () => former.filter((each) => each.deref()).length;
    await until(
      async () => (await collectGarbage(), alive() <= 1),
      'the former ones are collected',
    );
  });
});
