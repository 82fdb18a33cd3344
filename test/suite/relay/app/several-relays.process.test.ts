/**
 * Two relays on one ledger place one order for each attempt and share one budget of queries. A
 * change that one relay notices ends the long polls at the other.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { createInstances } from '../../../../relay/orders/polling/instances.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import type { Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { markRestored } from '../../support/ledger-calls.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { createWorld, openIntent, until, type World } from '../../support/world.js';

const folder = mkdtempSync(join(tmpdir(), 'relays-'));
const timers: NodeJS.Timeout[] = [];
let postgres: Promise<Postgres> | undefined;
after(async () => {
  for (const timer of timers) clearInterval(timer);
  await (await postgres)?.stop();
  rmSync(folder, { recursive: true });
});

const ledgerUrls: Record<string, () => Promise<string>> = {
  sqlite: async () => `sqlite:${join(folder, `${crypto.randomUUID()}.db`)}`,
  postgres: async () => (await (postgres ??= startPostgres({ syncs: false }))).database(),
};

for (const [name, createLedgerUrl] of Object.entries(ledgerUrls))
  describe(`two relays on ${name}`, () => {
    it('places one order with two relays, which end each other’s long polls', async () => {
      const url = await createLedgerUrl();
      const ledgers = [await openLedger(url), await openLedger(url)] as const;
      const one = createWorld({ ledger: ledgers[0] });
      const two = createWorld({ ledger: ledgers[1], sandbox: one.sandbox });
      for (const world of [one, two]) timers.push(setInterval(() => void world.relay.tick(), 500));
      const attempt = crypto.randomUUID();
      const pay = (world: World): ReturnType<World['ask']> =>
        world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' });
      const answers = await Promise.all([pay(one), pay(two), pay(one), pay(two)]);
      assert.equal(one.pays().length, 1);
      assert.equal(new Set(answers.map(({ body }) => body.order?.request_id)).size, 1);
      const { order_key, request_id } = answers[0].body.order!;
      const waiting = two.ask('/v1/query', { request_id, order_key, known_status: 11, wait: 20 });
      const started = Date.now();
      one.sandbox.orders.act(one.sandbox.orders.byRequest(request_id)!, 'confirm');
      assert.equal((await waiting).body.order?.outcome, 'succeeded');
      assert.ok(Date.now() - started < 4000, 'woken by the other relay');
      for (const timer of timers.splice(0)) clearInterval(timer);
      await Promise.all([one.relay.close(), two.relay.close()]);
      await Promise.all(ledgers.map((ledger) => ledger.close()));
    });

    it('sends no lost order again while another relay starts on a restored ledger', async () => {
      const url = await createLedgerUrl();
      const [ledger, restored] = [await openLedger(url), await openLedger(url)];
      const config = {
        service: { base_url: 'https://service.example', not_found_codes: ['4040'] },
        request_id_key: { env: 'TOKEN' },
      };
      const running = createWorld({ ledger, config });
      const before = createWorld({ config, sandbox: running.sandbox });
      const attempt = crypto.randomUUID();
      const pay = (world: World, fields = {}): ReturnType<World['ask']> =>
        world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr', ...fields });
      const lost = await pay(before);
      assert.equal((await pay(running, { attempt: crypto.randomUUID() })).status, 200);
      await markRestored(restored, Date.now());
      await restored.writeSetting('epoch', crypto.randomUUID());

      const refused = await pay(running);
      assert.deepEqual([refused.status, running.pays().length], [503, 2]);
      assert.equal((await pay(running, { attempt: crypto.randomUUID() })).status, 200);
      const found = await pay(running);
      assert.equal(found.body.order?.request_id, lost.body.order?.request_id);
      assert.equal(running.pays().length, 3);
      await Promise.all([running.relay.close(), before.relay.close()]);
      await Promise.all([ledger.close(), restored.close()]);
    });

    it('tells in the answer to a slow pay that another relay has replaced its order', async () => {
      const url = await createLedgerUrl();
      const ledgers = [await openLedger(url), await openLedger(url)] as const;
      const config = {
        shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } },
      };
      const shopFetch = async (): Promise<Response> => new Response();
      const two = createWorld({ ledger: ledgers[1], config, shopFetch });
      let answers: () => void = () => {};
      let holds: Promise<void> | null = null;
      /** Keeps its answers back while `holds` is set. */
      const slow: Sandbox = {
        ...two.sandbox,
        fetch: async (request) => {
          const answer = await two.sandbox.fetch(request);
          await holds;
          return answer;
        },
      };
      const one = createWorld({ ledger: ledgers[0], config, shopFetch, sandbox: slow });
      const attempt = crypto.randomUUID();
      const pay = (world: World, fields: object): ReturnType<World['ask']> =>
        world.ask('/v1/pay', { ...openIntent, attempt, ...fields });
      // the ledger learns its epoch from the event of an earlier order
      await pay(one, { attempt: crypto.randomUUID(), option: 'qr' });
      holds = new Promise((resolve) => (answers = resolve));
      const slowPay = pay(one, { option: 'qr' });
      await until(() => two.pays().length === 2, 'the slow pay was sent');
      const { order_key, request_id } = (await pay(two, { option: 'qr' })).body.order!;
      const replaces = { request_id, order_key };
      const { order: other } = (await pay(two, { option: 'card', replaces })).body;
      assert.notEqual(other?.request_id, request_id);
      answers();
      const { order } = (await slowPay).body;
      assert.equal(order?.request_id, request_id);
      assert.deepEqual([order?.replaced, order?.next_action], [true, null]);
      await Promise.all([one.relay.close(), two.relay.close()]);
      await Promise.all(ledgers.map((ledger) => ledger.close()));
    });
  });

describe('the budget of several relays', () => {
  it('gives a new relay a small share at first, and a silent relay none', async () => {
    const ledger = memoryLedger();
    let now = 0;
    const [one, two] = ['one', 'two'].map((instance) =>
      createInstances(ledger, instance, () => now),
    ) as [ReturnType<typeof createInstances>, ReturnType<typeof createInstances>];
    await one.heartbeat();
    assert.equal(one.share(20), 20);
    // `two` has just started
    await two.heartbeat();
    assert.equal(two.share(20), 1);
    now = 5000;
    await one.heartbeat();
    await two.heartbeat();
    assert.deepEqual([one.share(20), two.share(20)], [10, 10]);
    // `two` sends no heartbeat any more, and counts as stopped after 15 s
    now = 10_000;
    await one.heartbeat();
    now = 26_000;
    await one.heartbeat();
    assert.equal(one.share(20), 20);
  });
  it('gives a relay that restarts under its name its share at once', async () => {
    const ledger = memoryLedger();
    await createInstances(ledger, 'host:1', () => 0).heartbeat();
    const again = createInstances(ledger, 'host:1', () => 1000);
    await again.heartbeat();
    assert.equal(again.share(20), 20);
  });
  it('sends the queries of one relay when customers wait for one order at two relays', async () => {
    const ledger = memoryLedger();
    const one = createWorld({ ledger });
    const two = createWorld({ ledger, sandbox: one.sandbox });
    const { order_key, request_id } = (
      await one.ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' })
    ).body.order!;
    const ask = { request_id, order_key, known_status: 11, wait: 5 };
    await Promise.all([one, one, two, two].map((world) => world.ask('/v1/query', ask)));
    // in 5 s a young order is queried two or three times, by either relay
    const queries = one.sandbox.calls.filter(({ operation }) => operation === 'query').length;
    assert.ok(queries >= 2 && queries <= 3, `${queries} queries in 5 s`);
  });
});

describe('a long poll', () => {
  it('ends a long poll when another order of the same intent is paid', async () => {
    const world = createWorld();
    const attempt = crypto.randomUUID();
    const first = (await world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr' })).body
      .order!;
    const replaces = { request_id: first.request_id, order_key: first.order_key };
    const second = (
      await world.ask('/v1/pay', { ...openIntent, attempt, option: 'card', replaces })
    ).body.order!;
    const waiting = world.ask('/v1/query', {
      request_id: second.request_id,
      order_key: second.order_key,
      known_status: 11,
      wait: 20,
    });
    world.sandbox.orders.act(world.sandbox.orders.byRequest(first.request_id)!, 'confirm');
    await until(
      async () => (await world.ask('/v1/query', replaces)).body.order?.outcome === 'succeeded',
      'the first is paid',
    );
    const ended = (await waiting).body.order;
    assert.deepEqual([ended?.paid_by, ended?.next_action], [first.request_id, null]);
    assert.equal(
      (await world.ask('/v1/checkout', { ...openIntent, attempt })).body.order?.request_id,
      first.request_id,
    );
  });
});
