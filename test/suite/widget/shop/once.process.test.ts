/** Each event is handled once, whether it comes by webhook or by list, on real databases. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  fetchOrder,
  receiveEvents,
  reconcile,
  RelayError,
  type HandleEvent,
} from '../../../../widget/shop/index.js';
import { createRandom } from '../../../proofs/proof.js';
import { SECRETS, testConfig, until } from '../../support/world.js';
import { createShop } from '../../relay/routes/shop.js';
import { event, openDatabases, request, SECRET, silently, type Database } from './databases.js';

const { databases, orms, stop } = await openDatabases();
after(stop);

async function checkHandling<Tx>(open: () => Promise<Database<Tx>>): Promise<void> {
  const database = await open();
  const stale: string[] = [];
  const unknown: string[] = [];
  let broken = false;
  const handle: HandleEvent<Tx> = async (told, context) => {
    if (context.stale) stale.push(told.id);
    if (told.type.endsWith('newer_relay')) unknown.push(told.id);
    if (told.type !== 'order.succeeded') return;
    await database.write(context.tx, told.data.intent_id, told.id);
    if (broken) throw new Error('the handler is broken');
  };
  const receive = receiveEvents({ secrets: SECRET, store: database.store, handle });
  const send = async (...args: Parameters<typeof request>): Promise<number> =>
    (await receive(await request(...args))).status;

  // a repeated event is handled once
  const paid = event('order-001', 2);
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => send(paid))), [200, 200, 200]);
  assert.deepEqual(await database.paid(), ['order-001']);
  // an earlier event that comes later is stale
  assert.equal(await send(event('order-001', 1, 'order.created')), 200);
  assert.deepEqual(stale, ['evt_order-001_1']);
  // two events of one intent at once: only the earlier one can be stale
  stale.length = 0;
  const both = [event('order-002', 2), event('order-002', 1, 'order.created')];
  assert.deepEqual(await Promise.all(both.map((each) => send(each))), [200, 200]);
  assert.ok(stale.every((id) => id === 'evt_order-002_1'));
  // a handler that throws leaves nothing behind, and the next try handles the event
  broken = true;
  assert.equal(await silently(() => send(event('order-003', 1))), 500);
  assert.deepEqual((await database.paid()).sort(), ['order-001', 'order-002']);
  broken = false;
  assert.equal(await send(event('order-003', 1)), 200);
  assert.equal((await database.paid()).length, 3);
  // an event of a type that only a newer relay sends reaches the handler once, and pays nothing
  const newer = event('order-006', 1, 'order.of_a_newer_relay');
  assert.deepEqual(await Promise.all([newer, newer].map((each) => send(each))), [200, 200]);
  assert.equal((await database.paid()).length, 3);
  assert.deepEqual(unknown, [newer.id]);
  assert.equal(await send(event('order-006', 2)), 200);
  assert.equal((await database.paid()).length, 4);
  // an event with a wrong signature, and a request without an event, are refused
  assert.equal(await send(event('order-004', 1), 'the-old-secret'), 401);
  assert.equal((await receive(new Request('https://shop.example/hooks'))).status, 405);
  const raw = event('order-005', 1);
  const { headers } = await request(raw);
  assert.deepEqual(await receive.parts(Buffer.from(raw.body), headers), { status: 200 });
  assert.deepEqual(await receive.parts('{}', headers), { status: 401 });
  assert.equal((await database.paid()).length, 5);
  await database.close();
}

/** Customers leave after paying, webhooks are lost, and the shop stops while it handles events. */
async function closedTabs<Tx>(open: () => Promise<Database<Tx>>, orders: number): Promise<void> {
  const random = createRandom(7);
  const database = await open();
  const shop = await createShop({
    config: { service: { ...testConfig.service, queries_per_second: 1000 } },
  });
  const intents = Array.from({ length: orders }, (_, index) => `order-${1000 + index}`);
  let stops = 0;
  const handle: HandleEvent<Tx> = async ({ data, id, type }, { tx }) => {
    if (type !== 'order.succeeded') return;
    await database.write(tx, data.intent_id, id);
    if (stops < 20 && random.chance(0.2)) {
      stops++;
      throw new Error('the shop was stopped');
    }
  };
  let cursor: string | null = null;
  const options = {
    relay: 'https://shop.example',
    secret_key: SECRETS.SECRET ?? '',
    fetch: (url: string, init: RequestInit) => shop.world.relay.fetch(new Request(url, init)),
    store: database.store,
    handle,
    cursor: {
      load: async () => cursor,
      save: async (next: string) => void (cursor = next),
    },
  };
  const receive = receiveEvents({ secrets: SECRET, store: database.store, handle });
  for (const [index, intent] of intents.entries()) {
    const { body } = await shop.pay(intent);
    await shop.customerPays(body.order?.request_id ?? '');
    const isPaid = async (): Promise<boolean> =>
      (await fetchOrder(options, { intent_id: intent })).order.outcome === 'succeeded';
    await until(isPaid, `${intent} to be paid`);
    await shop.receivedTypes();
    for (const { data, id, type } of shop.received.splice(0)) {
      if (random.chance(0.3)) continue;
      const told = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
      await silently(async () => receive(await request({ id, body: told })));
    }
    if (index % 20 === 19) await reconcile(options).catch(() => {});
  }
  for (let done = false; !done;)
    done = await reconcile(options).then(
      () => true,
      () => false,
    );
  assert.deepEqual((await database.paid()).sort(), intents);
  assert.equal(stops > 0, true);
  assert.equal(await reconcile(options), 0);
  await database.close();
}

for (const [name, run] of Object.entries({
  sqlite: () => checkHandling(databases.sqlite),
  pg: () => checkHandling(databases.postgres),
  kysely: () => checkHandling(databases.kysely),
  knex: () => checkHandling(databases.knex),
  'kysely on SQLite': () => checkHandling(databases.kyselyOnSqlite),
  'knex on SQLite': () => checkHandling(databases.knexOnSqlite),
  prisma: () => checkHandling(orms.prisma),
  'prisma on SQLite': () => checkHandling(orms.prismaOnSqlite),
  drizzle: () => checkHandling(orms.drizzle),
  'drizzle on postgres.js': () => checkHandling(orms.drizzleOnPostgresJs),
  'drizzle on SQLite': () => checkHandling(orms.drizzleOnSqlite),
}))
  it(`${name}: handles an event once when it is repeated, shuffled or failed`, run);

for (const [name, run] of Object.entries({
  sqlite: () => closedTabs(databases.sqlite, 60),
  pg: () => closedTabs(databases.postgres, 60),
}))
  it(`${name}: completes each order once when tabs close and webhooks are lost`, run);

describe('reconcile', () => {
  const answering = (body: object) => ({
    relay: 'https://shop.example/pay',
    secret_key: 'x',
    fetch: async () => Response.json(body),
    store: { transaction: () => assert.fail(), add: assert.fail, lastSequence: assert.fail },
    handle: () => assert.fail(),
    cursor: { load: async () => 'c', save: async () => assert.fail('must not be saved') },
  });

  it('reconcile keeps its cursor before an event that it cannot read', async () => {
    const database = await databases.sqlite();
    const listed = (id: string): object => ({ id, ...JSON.parse(event(id, 1).body) });
    const events = [listed('order-001'), { id: 'evt_broken' }, null, listed('order-002')];
    const handled: string[] = [];
    const options = {
      ...answering({ events, cursor: 'd', more: false }),
      store: database.store,
      handle: ({ data }: { data: { intent_id: string } }) => void handled.push(data.intent_id),
    };
    await assert.rejects(reconcile(options), { code: 'no_answer' });
    assert.deepEqual(handled, ['order-001', 'order-002']);
    await database.close();
  });

  it('reconcile records no event again while an earlier one cannot be handled', async () => {
    const database = await databases.sqlite();
    const { add } = database.store;
    const listed = (id: string): object => ({ id, ...JSON.parse(event(id, 1).body) });
    const events = ['order-001', 'order-002', 'order-003'].map(listed);
    const added: string[] = [];
    const options = {
      ...answering({ events, cursor: 'd', more: false }),
      store: {
        ...database.store,
        add: (...args: Parameters<typeof add>) => {
          added.push(args[1].event_id);
          return add(...args);
        },
      },
      handle: ({ data }: { data: { intent_id: string } }) => {
        if (data.intent_id === 'order-002') throw new Error('out of stock');
      },
    };
    await assert.rejects(reconcile(options), /out of stock/);
    assert.deepEqual(added.splice(0), ['order-001', 'order-002', 'order-003']);
    await assert.rejects(reconcile(options), /out of stock/);
    assert.deepEqual(added, ['order-002']);
    await database.close();
  });

  it('reconcile ends and keeps its cursor when the answer is not from a relay', async () => {
    for (const body of [{}, { events: [], cursor: 'c', more: true }, { events: {}, cursor: 'd' }])
      await assert.rejects(reconcile(answering(body)), { code: 'no_answer' });
  });
});

describe('fetchOrder', () => {
  it('returns the order that was expected, and names the reason of a refusal', async () => {
    const shop = await createShop();
    await shop.pay('order-001');
    const access = {
      relay: 'https://shop.example/',
      secret_key: SECRETS.SECRET ?? '',
      fetch: (url: string, init: RequestInit) => shop.world.relay.fetch(new Request(url, init)),
    };
    const expect = { amount: '12.50', currency: 'USD' };
    const { order, orders } = await fetchOrder(access, { intent_id: 'order-001' }, { expect });
    assert.deepEqual([order.outcome, orders.length], ['pending', 1]);
    const failing = async (...args: Parameters<typeof fetchOrder>): Promise<string> =>
      fetchOrder(...args).then(
        () => 'none',
        (error: unknown) => (error instanceof RelayError ? error.code : String(error)),
      );
    const other = { expect: { ...expect, amount: '12' } };
    const wrongKey = { ...access, secret_key: 'x' };
    const which = { intent_id: 'order-001' };
    const silent = { ...access, fetch: () => Promise.reject(new TypeError('no network')) };
    assert.deepEqual(
      await Promise.all([
        failing(access, { request_id: order.request_id }, other),
        failing(access, { intent_id: 'order-002' }),
        failing(wrongKey, { intent_id: 'order-001' }),
        failing(silent, { intent_id: 'order-001' }),
      ]),
      ['not_as_expected', 'order_unknown', 'unauthorized', 'no_answer'],
    );
    // the relay is in mode test
    assert.deepEqual(
      await Promise.all([
        failing(access, which, { livemode: true }),
        failing(access, which, { livemode: false }),
      ]),
      ['wrong_mode', 'none'],
    );
  });
});
