/** The shop's database through Prisma and Drizzle, on PostgreSQL and on SQLite. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { PrismaLibSql } from '@prisma/adapter-libsql';
import { PrismaPg } from '@prisma/adapter-pg';
import { getPrismaClient, type GetPrismaClientConfig } from '@prisma/client/runtime/client';
import { sql } from 'drizzle-orm';
import { drizzle as drizzleOnLibsql } from 'drizzle-orm/libsql';
import { drizzle as drizzleOnPg } from 'drizzle-orm/node-postgres';
import {
  pgTable,
  text as pgText,
  type PgDatabase,
  type PgQueryResultHKT,
} from 'drizzle-orm/pg-core';
import { drizzle as drizzleOnPostgresJs } from 'drizzle-orm/postgres-js';
import { sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core';
import pg from 'pg';
import postgresJs from 'postgres';
import {
  drizzleStore,
  EVENTS_TABLE,
  prismaStore,
  type EventStore,
  type StoreLimits,
} from '../../../../widget/shop/index.js';

export const PAID_TABLE = 'create table paid (intent_id text, event_id text)';
/** Connections that a shop's pool has in these tests. */
export const POOL = 10;

export type ShopDatabase<Tx> = {
  store: EventStore<Tx>;
  /** Writes inside the transaction of a handler. */
  write(tx: Tx, intentId: string, eventId: string): PromiseLike<unknown>;
  /** Writes on another connection. */
  writeOutside(intentId: string): PromiseLike<unknown>;
  paid(): Promise<string[]>;
  close(): Promise<unknown>;
};

type Provider = Extract<GetPrismaClientConfig['activeProvider'], 'postgresql' | 'sqlite'>;
type Loading = NonNullable<GetPrismaClientConfig['compilerWasm']>;

const compilers: Record<Provider, { code: Loading['getRuntime']; wasm(): Promise<string> }> = {
  postgresql: {
    code: () => import('@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs'),
    wasm: async () =>
      (await import('@prisma/client/runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs'))
        .wasm,
  },
  sqlite: {
    code: () => import('@prisma/client/runtime/query_compiler_small_bg.sqlite.mjs'),
    wasm: async () =>
      (await import('@prisma/client/runtime/query_compiler_small_bg.sqlite.wasm-base64.mjs')).wasm,
  },
};

/**
 * The client that `prisma generate` writes for a schema without models, without the command, which
 * would install 200 MB for the sake of this one file.
 */
const prismaClientOf = (provider: Provider) =>
  getPrismaClient({
    previewFeatures: [],
    clientVersion: '7.10.0',
    engineVersion: '7.10.0',
    activeProvider: provider,
    inlineSchema: `datasource db {\n  provider = "${provider}"\n}\n`,
    runtimeDataModel: { models: {}, enums: {}, types: {} },
    parameterizationSchema: { strings: [], graph: 'AAAA' },
    compilerWasm: {
      getRuntime: compilers[provider].code,
      getQueryCompilerWasmModule: async () =>
        new WebAssembly.Module(Buffer.from(await compilers[provider].wasm(), 'base64')),
      importName: './query_compiler_small_bg.js',
    },
  });

/** The part of Prisma's client that a shop uses here; without models its own type is loose. */
type PrismaTx = {
  $queryRaw(text: TemplateStringsArray, ...values: unknown[]): PromiseLike<unknown>;
  $executeRaw(text: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
};
type Prisma = PrismaTx & {
  $transaction<T>(run: (tx: PrismaTx) => Promise<T>, options?: object): Promise<T>;
  $disconnect(): Promise<void>;
};

const withPrisma = (client: Prisma, limits?: StoreLimits): ShopDatabase<PrismaTx> => ({
  store: prismaStore(client, limits),
  write: (tx, ...values) => tx.$executeRaw`insert into paid values (${values[0]}, ${values[1]})`,
  writeOutside: (intent) => client.$executeRaw`insert into paid values (${intent}, ${'outside'})`,
  paid: async () => intentsIn(await client.$queryRaw`select intent_id from paid`),
  close: () => client.$disconnect(),
});

const intentsIn = (rows: unknown): string[] =>
  (rows as { intent_id: string }[]).map(({ intent_id }) => intent_id);

export const ormDatabases = (database: () => Promise<string>, folder: string) => {
  const withTables = async (): Promise<string> => {
    const url = await database();
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`${EVENTS_TABLE} ${PAID_TABLE}`);
    await client.end();
    return url;
  };
  const newFile = async (): Promise<string> => {
    const url = `file:${join(folder, `${randomUUID()}.db`)}`;
    const client = createClient({ url });
    await client.executeMultiple(`${EVENTS_TABLE} ${PAID_TABLE}`);
    client.close();
    return url;
  };
  return {
    prisma: async (limits?: StoreLimits) => {
      const adapter = new PrismaPg({ connectionString: await withTables(), max: POOL });
      return withPrisma(new (prismaClientOf('postgresql'))({ adapter }), limits);
    },
    prismaOnSqlite: async (limits?: StoreLimits) => {
      const adapter = new PrismaLibSql({ url: await newFile() });
      return withPrisma(new (prismaClientOf('sqlite'))({ adapter }), limits);
    },
    drizzle: async (limits?: StoreLimits) => {
      const pool = new pg.Pool({ connectionString: await withTables(), max: POOL });
      pool.on('error', () => {});
      // Drizzle has no listener of its own while a transaction runs
      pool.on('connect', (client) => client.on('error', () => {}));
      const shop = drizzleOnPg(pool);
      const store = drizzleStore(shop, sql, limits);
      return withPgTables(shop, store, () => pool.end());
    },
    drizzleOnPostgresJs: async (limits?: StoreLimits) => {
      const client = postgresJs(await withTables(), { max: POOL });
      const shop = drizzleOnPostgresJs(client);
      const store = drizzleStore(shop, sql, limits);
      return withPgTables(shop, store, () => client.end());
    },
    drizzleOnSqlite: async (limits?: StoreLimits) => {
      const client = createClient({ url: await newFile() });
      const shop = drizzleOnLibsql(client);
      const paid = sqliteTable('paid', { intent_id: sqliteText(), event_id: sqliteText() });
      const store = drizzleStore(shop, sql, limits);
      return {
        store,
        write: (tx, intent_id, event_id) => tx.insert(paid).values({ intent_id, event_id }),
        writeOutside: (intent_id) => shop.insert(paid).values({ intent_id }),
        paid: async () => intentsIn(await shop.select().from(paid)),
        close: async () => client.close(),
      } satisfies ShopDatabase<TxOf<typeof store>>;
    },
  };
};

type TxOf<Store> = Store extends EventStore<infer Tx> ? Tx : never;
type PgShop = Pick<PgDatabase<PgQueryResultHKT>, 'insert' | 'select'>;

const withPgTables = <Tx extends Pick<PgShop, 'insert'>>(
  shop: PgShop,
  store: EventStore<Tx>,
  close: () => Promise<unknown>,
): ShopDatabase<Tx> => {
  const paid = pgTable('paid', { intent_id: pgText(), event_id: pgText() });
  return {
    store,
    write: (tx, intent_id, event_id) => tx.insert(paid).values({ intent_id, event_id }),
    writeOutside: (intent_id) => shop.insert(paid).values({ intent_id }),
    paid: async () => intentsIn(await shop.select().from(paid)),
    close,
  };
};
