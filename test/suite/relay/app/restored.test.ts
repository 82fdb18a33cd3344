/** A ledger that was restored from a backup older than the orders at the service. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { createLedgerClock } from '../../../../relay/ledger/ledger-clock.js';
import type { Stamp } from '../../../../relay/ledger/rows.js';
import type { Log } from '../../../../relay/runtime.js';
import { createIdentity } from '../../../../relay/intent/identity.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { systemClock } from '../../../../relay/runtime.js';
import { bearer, createWorld, openIntent, type World } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { claims, sign } from '../intent/signed-token.js';
import { backUp, config, newLedger, restart } from './restored-ledger.js';

const HOUR_MS = 3_600_000;
const folder = temporaryFolder('restored');

const pay = (world: World, attempt: string, more: object = {}): ReturnType<World['ask']> =>
  world.ask('/v1/pay', { ...openIntent, attempt, option: 'qr', ...more });

const codeOf = (body: Record<string, unknown>): string => (body.error as { code: string }).code;

const newWorld = async (): Promise<World> => createWorld({ ledger: await newLedger(folder) });

/** Places one order, and restores a backup that was made before the order. */
async function restore(): Promise<{ world: World; attempt: string; lost: string; key: string }> {
  const before = await newWorld();
  // a starting relay generates its keys before it accepts an order
  await before.relay.fetch(new Request('https://shop.example/readyz'));
  const backup = await backUp(folder, before.ledger);
  const attempt = crypto.randomUUID();
  const { order } = (await pay(before, attempt)).body;
  assert.ok(order);
  const world = await restart(before, backup);
  return { world, attempt, lost: order.request_id, key: order.order_key };
}

/** A backup of a ledger that holds one order, and the relay that continues after the backup. */
async function backedUp() {
  const before = await newWorld();
  const attempt = crypto.randomUUID();
  const { order } = (await pay(before, attempt)).body;
  assert.ok(order);
  return { attempt, backup: await backUp(folder, before.ledger), before, order };
}

describe('a restored ledger', () => {
  it('finds a lost order, shows it as wait, and sends nothing', async () => {
    const { world, attempt, lost } = await restore();
    const sent = world.pays().length;
    const { body, status } = await pay(world, attempt);
    assert.equal(status, 200);
    assert.deepEqual(
      [body.order?.request_id, body.order?.outcome, body.order?.next_action?.kind],
      [lost, 'pending', 'wait'],
    );
    assert.equal(world.pays().length, sent);
    // the customer may choose again
    const { order_key = '', request_id = '' } = body.order ?? {};
    const again = await pay(world, attempt, {
      option: 'card',
      replaces: { request_id, order_key },
    });
    assert.equal(again.body.order?.next_action?.kind, 'open_page');
    assert.equal(world.pays().length, sent + 1);
  });

  for (const aheadMs of [26 * HOUR_MS, 60 * 24 * HOUR_MS])
    it(`asks first for a day when the clock was ${aheadMs} ms ahead at the start`, async () => {
      const ledger = await newLedger(folder);
      let passed = 0;
      let ahead = aheadMs;
      const now = (): number => 1_800_000_000_000 + ahead + passed;
      const clock = { ...systemClock, elapsed: () => passed, now };
      await ledger.writeSetting(
        'clock',
        JSON.stringify({ age: now() - ahead, seen: now() - ahead }),
      );
      await bindLedger(config, ledger, { restored: true, clock });
      const stamp = JSON.parse((await ledger.setting('restored_at')) ?? '') as Stamp;
      // the clock is corrected before the relay starts
      ahead = 0;
      const ledgerClock = createLedgerClock(ledger, clock, () => {});
      await ledgerClock.read();
      passed = 21 * HOUR_MS;
      assert.ok((ledgerClock.ageOf(stamp) ?? 0) < 24 * HOUR_MS);
      passed = 29 * HOUR_MS;
      assert.ok((ledgerClock.ageOf(stamp) ?? 0) >= 24 * HOUR_MS);
      await ledger.close();
    });

  it('sends nothing for a lost order when the clock was behind at the start', async () => {
    const before = await newWorld();
    // a tick saves the time that the ledger has reached
    await before.relay.tick();
    const backup = await backUp(folder, before.ledger);
    const attempt = crypto.randomUUID();
    const { order } = (await pay(before, attempt)).body;
    let behindMs = 30 * 3_600_000;
    const clock = { ...systemClock, now: () => Date.now() - behindMs };
    const world = await restart(before, backup, clock);
    await world.relay.tick();
    behindMs = 0;
    await world.relay.tick();
    assert.equal((await pay(world, attempt)).body.order?.request_id, order?.request_id);
    assert.equal(world.pays().length, 1);
  });

  it('sends nothing for an order that was unsent in the backup and was sent later', async () => {
    const before = await newWorld();
    const answer = before.sandbox.fetch;
    const refused = Object.assign(new Error('refused'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    });
    before.sandbox.fetch = () => Promise.reject(new TypeError('fetch failed', { cause: refused }));
    const attempt = crypto.randomUUID();
    assert.equal((await pay(before, attempt)).status, 503);
    const backup = await backUp(folder, before.ledger);
    before.sandbox.fetch = answer;
    const { order } = (await pay(before, attempt)).body;
    const world = await restart(before, backup);
    const again = (await pay(world, attempt)).body.order;
    assert.deepEqual([again?.request_id, again?.next_action?.kind], [order?.request_id, 'wait']);
    assert.equal(world.pays().length, 1);
  });

  it('finds a lost order when its token is signed again and Pay is pressed elsewhere', async () => {
    const before = await newWorld();
    await before.relay.fetch(new Request('https://shop.example/readyz'));
    const backup = await backUp(folder, before.ledger);
    const order_token = await sign({ ...claims, jti: 'order-10042' });
    const attempt = crypto.randomUUID();
    const { order } = (await before.ask('/v1/pay', { order_token, attempt, option: 'qr' })).body;
    const world = await restart(before, backup);
    const again = await sign({ ...claims, jti: 'order-10042' });
    const elsewhere = { order_token: again, attempt: crypto.randomUUID() };
    const upstream = world.sandbox.orders.all()[0];
    assert.ok(upstream);
    world.sandbox.orders.act(upstream, 'confirm');
    assert.equal((await world.ask('/v1/checkout', elsewhere)).body.order, undefined);
    const found = (await world.ask('/v1/pay', { ...elsewhere, option: 'card' })).body.order;
    assert.deepEqual([found?.request_id, found?.outcome], [order?.request_id, 'succeeded']);
    assert.equal(world.pays().length, 1);
  });

  it('reports a lost order as paid when the service says so', async () => {
    const { world, attempt, lost } = await restore();
    const order = world.sandbox.orders.byRequest(lost);
    assert.ok(order);
    world.sandbox.orders.act(order, 'confirm');
    assert.equal((await pay(world, attempt)).body.order?.outcome, 'succeeded');
  });

  it('places an order when the service does not know it', async () => {
    const { world } = await restore();
    const { body } = await pay(world, crypto.randomUUID());
    assert.equal(body.order?.next_action?.kind, 'scan_qr');
  });

  it('places no order while the service does not answer queries', async () => {
    const { world } = await restore();
    const sent = world.pays().length;
    world.sandbox.faults.add({ operation: 'query', fault: 'broken_json', times: 0 });
    const { body, status } = await pay(world, crypto.randomUUID());
    assert.deepEqual([status, (body.error as { code: string }).code], [503, 'service_unavailable']);
    assert.equal(world.pays().length, sent);
  });

  it('does not answer order_unknown for a lost order that the service knows', async () => {
    const { world, attempt, lost, key } = await restore();
    const byKey = await world.ask('/v1/query', { request_id: lost, order_key: key });
    const byRequest = await world.ask('/v1/query', { request_id: lost }, bearer);
    const intent_id = await createIdentity(config, world.ledger).intentIdOf(attempt);
    const byIntent = await world.ask('/v1/query', { intent_id }, bearer);
    for (const { body, status } of [byKey, byRequest, byIntent])
      assert.deepEqual([status, codeOf(body)], [503, 'service_unavailable']);
    const stranger = await world.ask('/v1/query', { intent_id: 'jti-of-nobody' }, bearer);
    assert.deepEqual([stranger.status, codeOf(stranger.body)], [404, 'order_unknown']);
  });

  it('answers the backend with a paid order that replaced the order of the backup', async () => {
    const { attempt, backup, before, order } = await backedUp();
    const { order_key, request_id } = order;
    const second = await pay(before, attempt, {
      option: 'card',
      replaces: { request_id, order_key },
    });
    const replacing = before.sandbox.orders.byRequest(second.body.order?.request_id ?? '');
    assert.ok(replacing);
    before.sandbox.orders.act(replacing, 'confirm');
    const world = await restart(before, backup);
    const { body } = await world.ask('/v1/query', { request_id }, bearer);
    const attempts = body.orders as { request_id: string; outcome: string }[];
    assert.deepEqual(
      attempts.map(({ outcome }) => outcome),
      ['pending', 'succeeded'],
    );
    assert.equal(attempts[1]?.request_id, second.body.order?.request_id);
  });

  it('finds a later order of an intent when an earlier one never reached the service', async () => {
    const { attempt, backup, before, order } = await backedUp();
    const replace = async ({ order_key, request_id }: typeof order): Promise<typeof order> => {
      const { body } = await pay(before, attempt, { replaces: { request_id, order_key } });
      assert.ok(body.order);
      return body.order;
    };
    before.sandbox.faults.add({ operation: 'pay', fault: 'cut_before' });
    const last = await replace(await replace(order));
    const world = await restart(before, backup);
    const sent = world.pays().length;
    const { order_key, request_id } = order;
    // the customer of the page in the backup changes the way to pay
    const { body } = await pay(world, attempt, { replaces: { request_id, order_key } });
    assert.equal(body.order?.request_id, last.request_id);
    assert.equal(world.pays().length, sent);
    // the customer changes once more: the new order gets an ordinal of its own
    const { body: next } = await pay(world, attempt, {
      replaces: { request_id: last.request_id, order_key: last.order_key },
    });
    assert.equal(next.order?.outcome, 'pending');
    assert.equal(world.pays().length, sent + 1);
  });

  it('refuses --restored when the codes for an unknown order are not configured', async () => {
    const ledger = await openLedger('memory:');
    const silent = { ...config, service: { ...config.service, not_found_codes: [] } };
    await assert.rejects(bindLedger(silent, ledger, { restored: true }), /not_found_codes/);
  });

  it('warns when --restored finds a new ledger in place of the backup', async () => {
    const ledger = await openLedger('memory:');
    const lines: string[] = [];
    const log: Log = (level, event, fields) =>
      void lines.push(`${level} ${event} ${String(fields?.['message'])}`);
    await bindLedger(config, ledger, { restored: true, log });
    assert.match(lines.join('\n'), /^warn ledger .*new, although --restored/);
    lines.length = 0;
    await bindLedger(config, ledger, { restored: true, log });
    assert.deepEqual(lines, []);
  });

  it('refuses a restored ledger when public_url differs', async () => {
    const ledger = await openLedger('memory:');
    await bindLedger(config, ledger);
    const other = { ...config, public_url: 'https://other.example/pay' };
    await assert.rejects(bindLedger(other, ledger), /public_url/);
    await bindLedger(config, ledger);
  });

  it('gives a restored ledger a new epoch', async () => {
    const ledger = await openLedger('memory:');
    const before = await ledger.setting('epoch');
    await bindLedger(config, ledger, { restored: true });
    assert.notEqual(await ledger.setting('epoch'), before);
  });
});
