/** A burst of events, or a handler that hangs, leaves connections for the rest of the shop. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import knex from 'knex';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import {
  EVENTS_TABLE,
  knexStore,
  kyselyStore,
  pgStore,
  receiveEvents,
  reconcile,
  sqliteStore,
  type EventStore,
  type HandleEvent,
  type StoreLimits,
} from '../../../../widget/shop/index.js';
import { event, openDatabases, request, SECRET, silently } from './databases.js';
import { POOL, type ShopDatabase } from './orm-databases.js';

const { orms, postgres, stop } = await openDatabases();
after(stop);

/** The shop's store, and how it writes inside and outside the transaction of an event. */
type Shop<Tx> = {
  store: EventStore<Tx>;
  inside(tx: Tx, text: string): PromiseLike<unknown>;
  outside(text: string): PromiseLike<unknown>;
  close(): Promise<unknown>;
};
const connect = async (): Promise<{ connectionString: string; max: number }> => {
  const connectionString = await postgres.database();
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`${EVENTS_TABLE} create table notes (text text)`);
  await client.end();
  return { connectionString, max: POOL };
};
/** A promise, and the function that resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
const WRITE = 'insert into notes (text) values';

async function withPg(limits?: StoreLimits): Promise<Shop<pg.PoolClient>> {
  const pool = new pg.Pool(await connect()).on('error', () => {});
  return {
    store: pgStore(pool, limits),
    inside: (tx, text) => tx.query(`${WRITE} ($1)`, [text]),
    outside: (text) => pool.query(`${WRITE} ($1)`, [text]),
    close: () => pool.end(),
  };
}

async function withKysely(limits?: StoreLimits) {
  const pool = new pg.Pool(await connect()).on('error', () => {});
  const shop = new Kysely<{ notes: { text: string } }>({ dialect: new PostgresDialect({ pool }) });
  return {
    store: kyselyStore(shop, sql, limits),
    inside: (tx: typeof shop, text: string) => tx.insertInto('notes').values({ text }).execute(),
    outside: (text: string) => shop.insertInto('notes').values({ text }).execute(),
    close: () => shop.destroy(),
  };
}

async function withKnex(limits?: StoreLimits) {
  const { connectionString: connection, max } = await connect();
  const shop = knex({ client: 'pg', connection, pool: { min: 0, max } });
  return {
    store: knexStore(shop, limits),
    inside: (tx: knex.Knex, text: string) => tx.raw(`${WRITE} (?)`, [text]),
    outside: (text: string) => shop.raw(`${WRITE} (?)`, [text]),
    close: () => shop.destroy(),
  };
}

const withOrm =
  <Tx>(open: (limits?: StoreLimits) => Promise<ShopDatabase<Tx>>) =>
  async (limits?: StoreLimits): Promise<Shop<Tx>> => {
    const { close, store, write, writeOutside } = await open(limits);
    return { store, inside: (tx, text) => write(tx, text, 'event'), outside: writeOutside, close };
  };

const receiver = <Tx>(store: EventStore<Tx>, handle: HandleEvent<Tx>) => {
  const receive = receiveEvents({ secrets: SECRET, store, handle });
  return async (intent: string): Promise<number> =>
    silently(async () => (await receive(await request(event(intent, 1)))).status);
};

async function takesABurst<Tx>(open: () => Promise<Shop<Tx>>): Promise<void> {
  const { close, inside, outside, store } = await open();
  const send = receiver(store, async ({ data }, { tx }) => {
    await outside(data.intent_id);
    await inside(tx, data.intent_id);
  });
  const intents = Array.from({ length: POOL + 2 }, (_, at) => `order-${100 + at}`);
  assert.deepEqual(await Promise.all(intents.map(send)), Array(POOL + 2).fill(200));
  await close();
}

async function endsAHungHandler<Tx>(
  open: (limits: StoreLimits) => Promise<Shop<Tx>>,
): Promise<void> {
  const { close, inside, store } = await open({ time_limit_s: 0.6 });
  const { open: release, opened: released } = gate();
  let late: Promise<unknown> | undefined;
  const send = receiver(store, async (_event, { tx }) => {
    await inside(tx, 'once');
    if (late !== undefined) return;
    late = released.then(() => inside(tx, 'late'));
    await late;
  });
  assert.equal(await send('order-001'), 500);
  assert.equal(await send('order-001'), 200);
  const failed = assert.rejects(async () => late, 'the late statement must fail');
  release();
  await failed;
  await close();
}

for (const [name, burst, hung] of [
  ['pg', () => takesABurst(withPg), () => endsAHungHandler(withPg)],
  ['kysely', () => takesABurst(withKysely), () => endsAHungHandler(withKysely)],
  ['knex', () => takesABurst(withKnex), () => endsAHungHandler(withKnex)],
  ['prisma', () => takesABurst(withOrm(orms.prisma)), () => endsAHungHandler(withOrm(orms.prisma))],
  [
    'drizzle',
    () => takesABurst(withOrm(orms.drizzle)),
    () => endsAHungHandler(withOrm(orms.drizzle)),
  ],
] as const)
  describe(`a store of ${name}`, () => {
    it('handles a burst whose handlers use the same pool', { timeout: 20_000 }, burst);
    it('rolls a handler back that hangs, and refuses its later writes', { timeout: 20_000 }, hung);
  });

for (const [name, hung] of [
  ['prisma on SQLite', () => endsAHungHandler(withOrm(orms.prismaOnSqlite))],
  ['drizzle on SQLite', () => endsAHungHandler(withOrm(orms.drizzleOnSqlite))],
  ['drizzle on postgres.js', () => endsAHungHandler(withOrm(orms.drizzleOnPostgresJs))],
] as const)
  describe(`a store of ${name}`, () => {
    it('rolls a handler back that hangs, and refuses its later writes', { timeout: 20_000 }, hung);
  });

describe('a store of drizzle', () => {
  it('keeps what a nested transaction writes, and not what one undoes', async () => {
    const { close, paid, store, write } = await orms.drizzle();
    const send = receiver(store, async (_event, { tx }) => {
      await tx.transaction((inner) => Promise.resolve(write(inner, 'kept', 'event')));
      const undone = tx.transaction(async (inner) => {
        await write(inner, 'undone', 'event');
        inner.rollback();
      });
      await assert.rejects(undone);
    });
    assert.equal(await send('order-001'), 200);
    assert.deepEqual(await paid(), ['kept']);
    await close();
  });

  it('refuses a statement that was built before its transaction ended', async () => {
    const { close, paid, store, write } = await orms.drizzle({ time_limit_s: 0.2 });
    const { open: release, opened: released } = gate();
    let late: Promise<unknown> = Promise.resolve();
    const send = receiver(store, async (_event, { tx }) => {
      const built = write(tx, 'late', 'event');
      late = released.then(() => built);
      await late;
    });
    assert.equal(await send('order-001'), 500);
    const failed = assert.rejects(late);
    release();
    await failed;
    assert.deepEqual(await paid(), []);
    await close();
  });
});

describe('a reconciliation on a slow database', () => {
  it('handles a page whose events it cannot look up within the time limit', async () => {
    const { close, store } = await withPg({ time_limit_s: 0.2 });
    const events = Array.from({ length: 100 }, (_, at) => {
      const { body, id } = event(`order-${100 + at}`, 1);
      return { id, ...(JSON.parse(body) as object) };
    });
    const handled: string[] = [];
    let saved: string | undefined;
    await reconcile({
      relay: 'https://shop.example',
      secret_key: 'x',
      fetch: async () => Response.json({ events, cursor: 'end', more: false }),
      store: {
        ...store,
        isAdded: async (tx, id) => {
          await tx.query('select pg_sleep(0.005)');
          return (await store.isAdded?.(tx, id)) ?? false;
        },
      },
      handle: ({ id }) => handled.push(id),
      cursor: { load: async () => saved, save: async (cursor) => (saved = cursor) },
    });
    assert.deepEqual([handled, saved], [events.map(({ id }) => id), 'end']);
    await close();
  });
});

describe('an event that waits for its turn', () => {
  it('is refused after the time limit on SQLite, which handles one at a time', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(EVENTS_TABLE);
    const { open: release, opened: released } = gate();
    const { open: enter, opened: entered } = gate();
    const send = receiver(sqliteStore(database, { time_limit_s: 0.2 }), async ({ data }) => {
      enter();
      if (data.intent_id === 'order-001') await released;
    });
    const first = send('order-001');
    await entered;
    assert.equal(await send('order-002'), 500);
    release();
    assert.equal(await first, 200);
    assert.equal(await send('order-002'), 200);
    database.close();
  });
});

describe('a part of a handler that has failed', () => {
  it('writes nothing after the rollback', async () => {
    const { close, inside, outside, store } = await withPg();
    const { open: release, opened: released } = gate();
    let late: Promise<unknown> = Promise.resolve();
    const send = receiver(store, (_event, { tx }) => {
      late = released.then(() => inside(tx, 'late'));
      return Promise.all([late, Promise.reject(new Error('the other part has failed'))]);
    });
    assert.equal(await send('order-001'), 500);
    const failed = assert.rejects(late);
    await outside('another query of the pool');
    release();
    await failed;
    await close();
  });
});

describe('a handler that rolls back by itself', () => {
  it('is not answered 200, also when a later event was handled before', async () => {
    const { close, store } = await withPg();
    let rollsBack = false;
    const send = receiveEvents({
      secrets: SECRET,
      store,
      handle: (_event, { tx }) => (rollsBack ? tx.query('rollback') : undefined),
    });
    const status = async (sequence: number): Promise<number> =>
      silently(async () => (await send(await request(event('order-001', sequence)))).status);
    assert.equal(await status(2), 200);
    rollsBack = true;
    assert.deepEqual([await status(1), await status(3)], [500, 500]);
    rollsBack = false;
    assert.deepEqual([await status(1), await status(3)], [200, 200]);
    await close();
  });
});
