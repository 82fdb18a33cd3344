/** The backend finds an order by its number, and lists orders and events by time and kind. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { list } from '../../../../relay/operator/list.js';
import { createSandbox } from '../../../../relay/sandbox/sandbox.js';
import { signedPay } from '../operator/signed-pay.js';
import { manualClock } from '../../support/manual-clock.js';
import { rules } from '../orders/fresh-order.js';
import { bearer, createWorld, until } from '../../support/world.js';

type Order = { request_id: string; order_no: string; paid_at?: string; outcome: string };
type Event = {
  type: string;
  tries: number;
  last_failure: string | null;
  delivered_at: string | null;
  next_try_at: string | null;
};

/** Two orders, of which the first is paid; the shop's backend answers the first event with 500. */
async function createShop() {
  let answers = 0;
  const world = createWorld({
    config: { shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } } },
    shopFetch: async () => new Response('', { status: answers++ === 0 ? 500 : 200 }),
  });
  const place = signedPay(world);
  const before = new Date(Date.now() - 1).toISOString();
  const [paid, open] = [await place('order-of-one', 'c-1'), await place('order-of-two', 'c-2')];
  const ask = async (path: string, body: unknown) => (await world.ask(path, body, bearer)).body;
  const pay = async (id: string): Promise<void> => {
    const upstream = world.sandbox.orders.byRequest(id);
    assert.ok(upstream);
    world.sandbox.orders.setStatus(upstream, 20);
    await until(async () => {
      await ask('/v1/query', { request_id: id });
      return (await world.ledger.find(id))?.order.outcome === 'succeeded';
    }, 'paid');
  };
  await pay(paid);
  return { ask, before, open, paid, pay, world };
}

describe('the lists of the backend', () => {
  it('names the order of an order_no, with the time of its payment', async () => {
    const { ask, open, paid, world } = await createShop();
    const number = (await world.ledger.find(paid))?.order.order_no;
    const { order } = (await ask('/v1/query', { order_no: number })) as unknown as { order: Order };
    assert.equal(order.request_id, paid);
    assert.ok(Math.abs(Date.parse(order.paid_at ?? '') - Date.now()) < 60_000);
    const other = (await ask('/v1/query', { request_id: open })) as unknown as { order: Order };
    assert.equal('paid_at' in other.order, false);
    const unknown = await world.ask('/v1/query', { order_no: 'nobody' }, bearer);
    assert.equal(unknown.status, 404);
    const two = await world.ask('/v1/query', { order_no: number, request_id: paid }, bearer);
    assert.equal(two.status, 400);
  });

  it('lists the orders of a span and an outcome, page by page', async () => {
    const { ask, before, open, paid, world } = await createShop();
    const list = async (filter: object) =>
      (await ask('/v1/orders', filter)) as unknown as {
        orders: Order[];
        cursor: string;
        more: boolean;
      };
    const ids = async (filter: object) =>
      (await list(filter)).orders.map(({ request_id }) => request_id);
    assert.deepEqual(await ids({ outcome: 'succeeded' }), [paid]);
    assert.deepEqual(await ids({ until: before }), []);
    const first = await list({ since: before, limit: 1 });
    const rest = await list({ since: before, limit: 1, cursor: first.cursor });
    const both = [...first.orders, ...rest.orders].map(({ request_id }) => request_id);
    assert.deepEqual(both, [open, paid], 'by their last change');
    assert.deepEqual(await ids({ outcome: 'succeeded', limit: 1 }), [paid], 'in the first page');
    const none = await list({ outcome: 'expired', limit: 1 });
    assert.deepEqual([none.orders, none.more], [[], false]);
    const turned = { since: '2026-11-20T01:00:00+01:00', until: '2026-11-19T23:00:00Z' };
    const refused = await world.ask('/v1/orders', turned, bearer);
    assert.equal(refused.status, 400);
    assert.equal((refused.body.error as { field?: string }).field, 'until');
    const foreign = await world.ask('/v1/orders', { since: before, cursor: 'bm9uZQ' }, bearer);
    assert.equal(foreign.status, 400);
  });

  it('lists each later payment after a cursor, also after one of all orders', async () => {
    const { ask, open, pay } = await createShop();
    const list = async (filter: object) =>
      (await ask('/v1/orders', filter)) as unknown as { orders: Order[]; cursor: string };
    const { cursor: ofAll } = await list({});
    const { cursor } = await list({ outcome: 'succeeded' });
    const after = async (from: string) =>
      (await list({ outcome: 'succeeded', cursor: from })).orders.map((each) => each.request_id);
    assert.deepEqual([await after(cursor), await after(ofAll)], [[], []]);
    await pay(open);
    assert.deepEqual([await after(cursor), await after(ofAll)], [[open], [open]]);
  });

  it('answers with an empty page when many orders of a list do not match', async () => {
    let reads = 0;
    const listOrders = async () => {
      reads++;
      return { rows: [], last: { number: reads, id: '' }, more: true, isReset: false };
    };
    const world = createWorld({ ledger: { ...memoryLedger(), listOrders } });
    for (const [limit, expected] of [
      [1, 100],
      [500, 20],
    ]) {
      reads = 0;
      const { body } = await world.ask('/v1/orders', { outcome: 'succeeded', limit }, bearer);
      const page = body as unknown as { orders: Order[]; more: boolean };
      assert.deepEqual([page.orders, page.more, reads], [[], true, expected]);
    }
  });

  it('compares since and until with the time of each order of an intent', async () => {
    const clock = manualClock();
    const world = createWorld({ clock });
    const pay = signedPay(world);
    const ids: string[] = [];
    const times: string[] = [];
    while (ids.length < 5) {
      ids.push(await pay('order-of-five', 'c-1', ids.at(-1)));
      times.push(new Date(clock.now()).toISOString());
      await clock.advance(1000);
    }
    const list = async (filter: object) => {
      const { body } = await world.ask('/v1/orders', filter, bearer);
      return (body as unknown as { orders: Order[] }).orders.map(({ request_id }) => request_id);
    };
    assert.deepEqual(await list({ since: times[1] }), ids.slice(1));
    assert.deepEqual(await list({ until: times[1] }), ids.slice(0, 2));
    assert.deepEqual(await list({ since: times[1], until: times[1] }), [ids[1]]);
  });

  it('lists an order of which nothing was sent as failed, as each answer calls it', async () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const sandbox = createSandbox({ publicUrl: 'https://service.example' });
    const world = createWorld({ sandbox: { ...sandbox, fetch } });
    const { code } = await signedPay(world).refused('order-unsent', 'c-1', 'card');
    assert.equal(code, 'service_unreachable');
    const outcomes = async (filter: object) => {
      const { body } = await world.ask('/v1/orders', filter, bearer);
      return (body as unknown as { orders: Order[] }).orders.map(({ outcome }) => outcome);
    };
    assert.deepEqual(await outcomes({}), ['failed']);
    assert.deepEqual(await outcomes({ outcome: 'pending' }), []);
    assert.deepEqual(await outcomes({ outcome: 'failed' }), ['failed']);
    const { ledger } = world;
    const reads = { config: rules, ledger, ledgerClock: { now: Date.now } };
    const { orders } = await list(reads, { outcome: 'failed' }, { limit: 9 });
    assert.deepEqual(
      orders.map(({ outcome }) => outcome),
      ['failed'],
    );
  });

  it('lists the events of a type and since a moment, with their tries', async () => {
    const { ask, before, world } = await createShop();
    await until(async () => {
      await world.relay.tick();
      return (await world.ledger.undelivered()).length === 1;
    }, 'one failed delivery');
    const list = async (filter: object) =>
      ((await ask('/v1/events', filter)) as unknown as { events: Event[] }).events;
    const all = await list({ since: before });
    assert.equal(all.length, 3);
    const failed = all.filter(({ delivered_at }) => delivered_at === null);
    assert.deepEqual(
      failed.map(({ last_failure, tries }) => [tries, last_failure]),
      [[1, 'HTTP 500']],
    );
    for (const { delivered_at, next_try_at } of all)
      if (delivered_at === null) assert.ok(next_try_at! > new Date().toISOString());
      else assert.equal(next_try_at, null);
    assert.equal((await list({ type: 'order.succeeded' })).length, 1);
    const later = new Date(Date.now() + 60_000).toISOString();
    assert.deepEqual(await list({ since: later }), []);
  });
});
