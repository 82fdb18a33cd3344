/** Each event is handled once, whatever way it comes, on real databases. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { signMessage } from '../../relay/webhooks/sign.js';
import {
  EVENTS_TABLE,
  fetchOrder,
  pgStore,
  receiveEvents,
  reconcile,
  RelayError,
  sqliteStore,
  type EventStore,
  type HandleEvent,
} from '../../widget/shop/index.js';
import { createRandom } from '../proofs/proof.js';
import { startPostgres, type Postgres } from '../support/postgres.js';
import { SECRETS, testConfig, until } from '../support/world.js';
import { createShop } from '../relay/shop/shop.js';

const SECRET = 'the-secret-of-the-events';
const PAID_TABLE = 'create table paid (intent_id text, event_id text)';
const PAY = 'insert into paid (intent_id, event_id) values ($1, $2)';

/** A shop's database: its store, and the paid orders that it wrote inside the transactions. */
type Database<Tx> = {
  store: EventStore<Tx>;
  write(tx: Tx, intentId: string, eventId: string): Promise<unknown>;
  paid(): Promise<string[]>;
  close(): Promise<void>;
};

let postgres: Postgres;
const folder = mkdtempSync(join(tmpdir(), 'once-'));
before(async () => (postgres = await startPostgres()));
after(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const databases = {
  sqlite: async (): Promise<Database<InstanceType<typeof DatabaseSync>>> => {
    const database = new DatabaseSync(join(folder, `${crypto.randomUUID()}.db`));
    database.exec(`${EVENTS_TABLE} ${PAID_TABLE}`);
    return {
      store: sqliteStore(database),
      write: async (tx, ...values) => tx.prepare(PAY.replace(/\$\d/g, '?')).run(...values),
      paid: async () =>
        database
          .prepare('select intent_id from paid')
          .all()
          .map((row) => String((row as { intent_id: unknown }).intent_id)),
      close: async () => database.close(),
    };
  },
  postgres: async (): Promise<Database<pg.PoolClient>> => {
    const pool = new pg.Pool({ connectionString: await postgres.database() });
    await pool.query(`${EVENTS_TABLE} ${PAID_TABLE}`);
    return {
      store: pgStore(pool),
      write: (tx, ...values) => tx.query(PAY, values),
      paid: async () =>
        (await pool.query<{ intent_id: string }>('select intent_id from paid')).rows.map(
          ({ intent_id }) => intent_id,
        ),
      close: () => pool.end(),
    };
  },
};

const event = (intent_id: string, sequence: number, type = 'order.succeeded') => ({
  id: `evt_${intent_id}_${sequence}`,
  body: JSON.stringify({
    type,
    timestamp: new Date().toISOString(),
    data: { intent_id, sequence, epoch: 'e1' },
  }),
});
const request = async ({ body, id }: ReturnType<typeof event>, secret = SECRET) =>
  new Request('https://shop.example/hooks', {
    method: 'POST',
    body,
    headers: await signMessage(secret, { id, at: Math.floor(Date.now() / 1000), body }),
  });

async function checks<Tx>(open: () => Promise<Database<Tx>>): Promise<void> {
  const database = await open();
  const stale: string[] = [];
  let broken = false;
  const handle: HandleEvent<Tx> = async (told, context) => {
    if (context.stale) stale.push(told.id);
    if (told.type !== 'order.succeeded') return;
    await database.write(context.tx, told.data.intent_id, told.id);
    if (broken) throw new Error('the handler is broken');
  };
  const receive = receiveEvents({ secrets: SECRET, store: database.store, handle });
  const send = async (...args: Parameters<typeof request>): Promise<number> =>
    (await receive(await request(...args))).status;

  // repeated, at once and later
  const paid = event('order-001', 2);
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => send(paid))), [200, 200, 200]);
  assert.deepEqual(await database.paid(), ['order-001']);
  // shuffled: the earlier event is old
  assert.equal(await send(event('order-001', 1, 'order.created')), 200);
  assert.deepEqual(stale, ['evt_order-001_1']);
  // two events of one intent at once: the later one, or the earlier one as an old one
  stale.length = 0;
  const both = [event('order-002', 2), event('order-002', 1, 'order.created')];
  assert.deepEqual(await Promise.all(both.map((each) => send(each))), [200, 200]);
  assert.ok(stale.every((id) => id === 'evt_order-002_1'));
  // a handler that throws leaves nothing behind, and the next try handles the event
  broken = true;
  const { error } = console;
  console.error = () => {};
  assert.equal(await send(event('order-003', 1)), 500);
  console.error = error;
  assert.deepEqual((await database.paid()).sort(), ['order-001', 'order-002']);
  broken = false;
  assert.equal(await send(event('order-003', 1)), 200);
  assert.equal((await database.paid()).length, 3);
  // not genuine
  assert.equal(await send(event('order-004', 1), 'the-old-secret'), 401);
  assert.equal((await receive(new Request('https://shop.example/hooks'))).status, 405);
  const raw = event('order-005', 1);
  const { headers } = await request(raw);
  assert.deepEqual(await receive.parts(Buffer.from(raw.body), headers), { status: 200 });
  assert.deepEqual(await receive.parts('{}', headers), { status: 401 });
  assert.equal((await database.paid()).length, 4);
  await database.close();
}

/** Customers leave after paying, web-hooks are lost, and the shop stops in the middle. */
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
  const { error } = console;
  console.error = () => {};
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
      await receive(await request({ id, body: told }));
    }
    if (index % 20 === 19) await reconcile(options).catch(() => {});
  }
  console.error = error;
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

describe('receiveEvents on sqlite', () => {
  it('handles an event once when it is repeated, shuffled or failed', () =>
    checks(databases.sqlite));
  it('completes each order once when tabs close, web-hooks are lost and the shop stops', () =>
    closedTabs(databases.sqlite, 60));
});

describe('receiveEvents on postgres', () => {
  it('handles an event once when it is repeated, shuffled or failed', () =>
    checks(databases.postgres));
  it('completes each order once when tabs close, web-hooks are lost and the shop stops', () =>
    closedTabs(databases.postgres, 60));
});

describe('fetchOrder', () => {
  it('returns the order that was expected, and names why another is refused', async () => {
    const shop = await createShop();
    await shop.pay('order-001');
    const access = {
      relay: 'https://shop.example/',
      secret_key: SECRETS.SECRET ?? '',
      fetch: (url: string, init: RequestInit) => shop.world.relay.fetch(new Request(url, init)),
    };
    const expect = { amount: '12.50', currency: 'USD' };
    const { attempts, order } = await fetchOrder(access, { intent_id: 'order-001' }, { expect });
    assert.deepEqual([order.outcome, attempts.length], ['pending', 1]);
    const failing = async (...args: Parameters<typeof fetchOrder>): Promise<string> =>
      fetchOrder(...args).then(
        () => 'none',
        (error: unknown) => (error instanceof RelayError ? error.code : String(error)),
      );
    const other = { expect: { ...expect, amount: '12' } };
    const wrongKey = { ...access, secret_key: 'x' };
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
  });
});
