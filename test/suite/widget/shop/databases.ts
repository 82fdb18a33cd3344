/** Real databases of a shop, and events for it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import knex, { type Knex } from 'knex';
import {
  Kysely,
  PostgresDialect,
  sql,
  SqliteDialect,
  type Dialect,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { signMessage } from '../../../../relay/webhooks/sign.js';
import {
  EVENTS_TABLE,
  knexStore,
  kyselyStore,
  pgStore,
  sqliteStore,
  type EventStore,
} from '../../../../widget/shop/index.js';
import { BetterSqlite3, BetterSqlite3Client } from './better-sqlite3.js';
import { ormDatabases, PAID_TABLE } from './orm-databases.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';

export const SECRET = 'the-secret-of-the-events';
const PAY = 'insert into paid (intent_id, event_id) values ($1, $2)';

/** A shop's database: its store, and the paid orders that it wrote inside the transactions. */
export type Database<Tx> = {
  store: EventStore<Tx>;
  write(tx: Tx, intentId: string, eventId: string): PromiseLike<unknown>;
  paid(): Promise<string[]>;
  close(): Promise<unknown>;
};

type Tables = { paid: { intent_id: string; event_id: string } };

/** A pool that ignores the end of its connections: `stop` ends them with the server. */
const poolOf = (connectionString: string): pg.Pool =>
  new pg.Pool({ connectionString })
    .on('error', () => {})
    // Kysely has no listener of its own while a transaction runs
    .on('connect', (client) => client.on('error', () => {}));

function withKysely(dialect: Dialect): Database<Transaction<Tables>> {
  const kysely = new Kysely<Tables>({ dialect });
  return {
    store: kyselyStore(kysely, sql),
    write: (tx, intent_id, event_id) =>
      tx.insertInto('paid').values({ intent_id, event_id }).execute(),
    paid: async () =>
      (await kysely.selectFrom('paid').select('intent_id').execute()).map((row) => row.intent_id),
    close: () => kysely.destroy(),
  };
}

const withKnex = (shop: Knex): Database<Knex.Transaction> => ({
  store: knexStore(shop),
  write: (tx, intent_id, event_id) => tx<Tables['paid']>('paid').insert({ intent_id, event_id }),
  paid: async () => shop<Tables['paid']>('paid').pluck('intent_id'),
  close: () => shop.destroy(),
});

export async function openDatabases() {
  const postgres: Postgres = await startPostgres({ syncs: false });
  const folder = mkdtempSync(join(tmpdir(), 'once-'));
  const stop = async (): Promise<void> => {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  };
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
      const pool: pg.Pool = poolOf(await postgres.database());
      await pool.query(`${EVENTS_TABLE} ${PAID_TABLE}`);
      return {
        store: pgStore(pool) satisfies EventStore<pg.PoolClient>,
        write: (tx, ...values) => tx.query(PAY, values),
        paid: async () =>
          (await pool.query<{ intent_id: string }>('select intent_id from paid')).rows.map(
            ({ intent_id }) => intent_id,
          ),
        close: () => pool.end(),
      };
    },
    kysely: async (): Promise<Database<Transaction<Tables>>> => {
      const pool = poolOf(await postgres.database());
      await pool.query(`${EVENTS_TABLE} ${PAID_TABLE}`);
      return withKysely(new PostgresDialect({ pool }));
    },
    kyselyOnSqlite: async (): Promise<Database<Transaction<Tables>>> => {
      const database = new BetterSqlite3(join(folder, `${crypto.randomUUID()}.db`));
      database.exec(`${EVENTS_TABLE} ${PAID_TABLE}`);
      return withKysely(new SqliteDialect({ database }));
    },
    knex: async (): Promise<Database<Knex.Transaction>> => {
      const shop = knex({ client: 'pg', connection: await postgres.database() });
      await shop.raw(`${EVENTS_TABLE} ${PAID_TABLE}`);
      return withKnex(shop);
    },
    knexOnSqlite: async (): Promise<Database<Knex.Transaction>> => {
      const filename = join(folder, `${crypto.randomUUID()}.db`);
      const shop = knex({
        client: BetterSqlite3Client,
        connection: { filename },
        useNullAsDefault: true,
      });
      for (const statement of [EVENTS_TABLE, PAID_TABLE]) await shop.raw(statement);
      return withKnex(shop);
    },
  };
  const orms = ormDatabases(() => postgres.database(), folder);
  return { databases, orms, postgres, stop };
}

export const event = (intent_id: string, sequence: number, type = 'order.succeeded') => ({
  id: `evt_${intent_id}_${sequence}`,
  body: JSON.stringify({
    type,
    timestamp: new Date().toISOString(),
    data: { intent_id, sequence, epoch: 'e1' },
  }),
});
export const request = async ({ body, id }: ReturnType<typeof event>, secret = SECRET) =>
  new Request('https://shop.example/hooks', {
    method: 'POST',
    body,
    headers: await signMessage(secret, { id, at: Math.floor(Date.now() / 1000), body }),
  });

/** Runs `work` without the console's reports of events that were not handled. */
export async function silently<T>(work: () => Promise<T>): Promise<T> {
  const { error } = console;
  console.error = () => {};
  try {
    return await work();
  } finally {
    console.error = error;
  }
}
