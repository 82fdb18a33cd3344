/** A shop that was offline lists the changes, and requests events again. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toOpaque } from '../../../../relay/operator/paging.js';
import { setImmediate } from 'node:timers/promises';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { manualClock } from '../../support/manual-clock.js';
import { until } from '../../support/world.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { codeOf, createShop, ledgers, type Shop } from './shop.js';

const folder = temporaryFolder('lists');

type Page = { cursor: string; more: boolean; reset?: boolean };
type Listed = Page & { events: { id: string; type: string }[]; orders: { request_id: string }[] };

const list = async (shop: Shop, path: string, body: unknown): Promise<Listed> => {
  const answer = await shop.ask(path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body as unknown as Listed;
};

for (const [name, open] of Object.entries(ledgers))
  describe(`the lists for a shop's backend on ${name}`, () => {
    const newShop = async (): Promise<Shop> => createShop({ ledger: await open(folder) });

    it('lists every order since a cursor, in pages, and each change once', async () => {
      const shop = await newShop();
      const ids: string[] = [];
      for (const jti of ['order-001', 'order-002', 'order-003'])
        ids.push((await shop.pay(jti)).body.order?.request_id ?? '');
      const first = await list(shop, '/v1/orders', { limit: 2 });
      assert.deepEqual(
        first.orders.map(({ request_id }) => request_id),
        ids.slice(0, 2),
      );
      assert.equal(first.more, true);
      const second = await list(shop, '/v1/orders', { cursor: first.cursor, limit: 2 });
      assert.deepEqual([second.orders[0]?.request_id, second.more], [ids[2], false]);
      await shop.customerPays(ids[0] ?? '');
      await until(async () => {
        const { order } = (await shop.query('order-001')).body;
        return order?.outcome === 'succeeded';
      }, 'the webhook has come');
      const third = await list(shop, '/v1/orders', { cursor: second.cursor });
      assert.deepEqual(
        third.orders.map((order) => [order.request_id, (order as { outcome?: string }).outcome]),
        [[ids[0], 'succeeded']],
      );
      assert.deepEqual((await list(shop, '/v1/orders', { cursor: third.cursor })).orders, []);
    });

    it('lists the same events as the deliveries', async () => {
      const shop = await newShop();
      const { body } = await shop.pay('event-001', { metadata: { cart: '7' } });
      await shop.customerPays(body.order?.request_id ?? '');
      await shop.query('event-001');
      await until(async () => (await shop.receivedTypes()).length === 2, 'two deliveries');
      const listed = await list(shop, '/v1/events', { limit: 1 });
      assert.equal(listed.more, true);
      const rest = await list(shop, '/v1/events', { cursor: listed.cursor });
      assert.deepEqual(
        [...listed.events, ...rest.events].map(({ id, type }) => [id, type]),
        shop.received.map(({ id, type }) => [id, type]),
      );
      const eventsOf = (intent_id: string) => list(shop, '/v1/events', { intent_id });
      assert.equal((await eventsOf('event-001')).events.length, 2);
      assert.equal((await eventsOf('event-002')).events.length, 0);
      const [event] = rest.events as unknown as { data: unknown; delivered_at: string | null }[];
      assert.deepEqual(event?.data, shop.received[1]?.data);
      await until(async () => {
        const again = await eventsOf('event-001');
        return again.events.every((each) => (each as { delivered_at?: unknown }).delivered_at);
      }, 'the deliveries to be recorded');
    });

    it('delivers events again, one or all since a moment, with the same id and body', async () => {
      const shop = await newShop();
      const before = new Date(Date.now() - 1000).toISOString();
      await shop.pay('again-001');
      await shop.pay('again-002');
      await until(async () => (await shop.receivedTypes()).length === 2, 'two deliveries');
      const first = [...shop.received];
      const one = await shop.ask('/v1/events/resend', { event_id: first[0]?.id });
      assert.deepEqual(one.body, { resent: 1 });
      await until(async () => (await shop.receivedTypes()).length === 3, 'the third delivery');
      const all = await shop.ask('/v1/events/resend', { since: before });
      assert.deepEqual(all.body, { resent: 2 });
      await until(async () => (await shop.receivedTypes()).length === 5, 'the fifth delivery');
      const byId = (events: Shop['received']): Map<string, unknown> =>
        new Map(events.map(({ data, id }) => [id, data]));
      assert.deepEqual(byId(shop.received), byId(first));
      const later = await shop.ask('/v1/events/resend', {
        since: new Date(Date.now() + 60_000).toISOString(),
      });
      assert.deepEqual(later.body, { resent: 0 });
    });

    it('refuses an invalid cursor, and starts again after a cursor of another epoch', async () => {
      const shop = await newShop();
      await shop.pay('epoch-001');
      const { cursor } = await list(shop, '/v1/orders', {});
      // PostgreSQL refuses a text with the character U+0000
      const forged = toOpaque(['orders', 'epoch', 1, 'r\0']);
      for (const wrong of [cursor.slice(0, -3), 'x', '%%%', `${cursor}x`, forged]) {
        const refused = await shop.ask('/v1/orders', { cursor: wrong });
        assert.deepEqual([refused.status, codeOf(refused)], [400, 'invalid_request'], wrong);
        assert.equal((refused.body.error as { field?: string }).field, 'cursor');
      }
      assert.equal(codeOf(await shop.ask('/v1/events', { cursor })), 'invalid_request');
      await shop.world.ledger.writeSetting('epoch', crypto.randomUUID());
      const again = await list(shop, '/v1/orders', { cursor });
      assert.deepEqual([again.reset, again.orders.length], [true, 1]);
    });

    it('refuses a cursor of one intent’s events in the list of all events', async () => {
      const shop = await newShop();
      await shop.pay('cursor-001');
      await shop.pay('cursor-002');
      const { cursor } = await list(shop, '/v1/events', { intent_id: 'cursor-001' });
      for (const other of [{}, { intent_id: 'cursor-002' }]) {
        const refused = await shop.ask('/v1/events', { cursor, ...other });
        assert.deepEqual([refused.status, codeOf(refused)], [400, 'invalid_request']);
        assert.equal((refused.body.error as { field?: string }).field, 'cursor');
      }
      const rest = await list(shop, '/v1/events', { cursor, intent_id: 'cursor-001' });
      assert.deepEqual(rest.events, []);
    });

    it('refuses wrong keys and limits, unknown events, and two selections at once', async () => {
      const shop = await newShop();
      for (const path of ['/v1/orders', '/v1/events', '/v1/events/resend'])
        assert.equal(codeOf(await shop.world.ask(path, {})), 'unauthorized', path);
      for (const limit of [0, -1, 1.5, 501, '5'])
        assert.equal(codeOf(await shop.ask('/v1/orders', { limit })), 'invalid_request');
      const unknown = await shop.ask('/v1/events/resend', { event_id: 'evt_nobody' });
      assert.deepEqual([unknown.status, codeOf(unknown)], [404, 'not_found']);
      const both = { event_id: 'evt_nobody', since: new Date().toISOString() };
      for (const body of [{}, both, { since: 'yesterday' }])
        assert.equal(codeOf(await shop.ask('/v1/events/resend', body)), 'invalid_request');
    });

    it('refuses an id that contains the character U+0000', async () => {
      const shop = await newShop();
      for (const [path, field] of [
        ['/v1/query', 'intent_id'],
        ['/v1/query', 'request_id'],
        ['/v1/close', 'intent_id'],
        ['/v1/events', 'intent_id'],
        ['/v1/pay-links/revoke', 'pay_link_id'],
      ] as const) {
        const { body, status } = await shop.ask(path, { [field]: 'a\0b' });
        const error = body.error as { code: string; field: string };
        assert.deepEqual([status, error.code, error.field], [400, 'invalid_request', field], path);
      }
    });
  });

describe('the lists of a shop without a receiver', () => {
  it('lists events and refuses to deliver them when the shop has no receiver', async () => {
    const shop = await createShop({ config: { shop_events: undefined } });
    await shop.pay('quiet-001');
    const { events } = await list(shop, '/v1/events', {});
    assert.deepEqual(
      events.map(({ type }) => type),
      ['order.created'],
    );
    const refused = await shop.ask('/v1/events/resend', { event_id: events[0]?.id });
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'not_configured']);
  });
});

describe('a list that an open transaction of the ledger holds back', () => {
  type Reaches = { settled: number; is_standby?: boolean };
  /** A shop whose ledger has given the number 5. */
  async function heldShop(at: Reaches) {
    const clock = manualClock();
    const reach = { last: 5, is_standby: false, ...at };
    const ledger = { ...memoryLedger(), reach: async () => ({ ...reach }) };
    const shop = await createShop({ ledger, clock });
    /** Sends a request, and returns its answer when it waits for the first time. */
    const askHeld = async (path: string) => {
      const before = clock.sleeping();
      const answer = shop.ask(path, {});
      await until(() => clock.sleeping() > before, 'the request waits');
      return { answer };
    };
    return { askHeld, clock, reach, shop };
  }
  const ended = async (answer: ReturnType<Shop['ask']>): Promise<number | null> =>
    Promise.race([answer.then(({ status }) => status), setImmediate(null)]);

  for (const path of ['/v1/orders', '/v1/events']) {
    it(`is answered by ${path} when all that was committed before has its place`, async () => {
      const { askHeld, clock, reach } = await heldShop({ settled: 4 });
      const { answer } = await askHeld(path);
      await clock.advance(1000);
      assert.equal(await ended(answer), null);
      // numbers that were given after the request need not be in the answer
      Object.assign(reach, { last: 9, settled: 5 });
      await clock.advance(50);
      assert.equal((await answer).status, 200);
    });

    it(`is refused by ${path} after two seconds`, async () => {
      const { askHeld, clock } = await heldShop({ settled: 4 });
      const { answer } = await askHeld(path);
      await clock.advance(1900);
      assert.equal(await ended(answer), null);
      await clock.advance(200);
      assert.deepEqual([(await answer).status, codeOf(await answer)], [503, 'ledger_unavailable']);
    });

    it(`is answered by ${path} on a standby with what is known to be complete`, async () => {
      const { shop } = await heldShop({ settled: 4, is_standby: true });
      assert.equal((await shop.ask(path, {})).status, 200);
    });
  }
});
