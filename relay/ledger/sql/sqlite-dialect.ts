/** SQLite for the SQL builder, over anything that speaks the `node:sqlite` interface. */
import {
  CompiledQuery,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import type { Engine } from './engine.js';

type Statement = {
  all(...values: unknown[]): unknown[];
  run(...values: unknown[]): { changes: number | bigint };
};
export type SqliteDatabase = {
  prepare(sql: string): Statement;
  exec(sql: string): void;
  close(): void;
};

/** Two processes on one file: the loop must not block on the other's lock, so BEGIN is asked again instead of a busy timeout. */
const BUSY_RETRY_MS = 3;
const BUSY_GIVE_UP_MS = 10_000;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_BUSY|database is locked/.test(error.message);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function untilFree<T>(work: () => T): Promise<T> {
  for (let waited = 0; ; waited += BUSY_RETRY_MS) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || waited >= BUSY_GIVE_UP_MS) throw error;
      await sleep(BUSY_RETRY_MS);
    }
  }
}

const isRead = (text: string): boolean =>
  /^\s*(select|pragma|with)\b/i.test(text) || /\breturning\b/i.test(text);

class Connection implements DatabaseConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, Statement>();
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }
  executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return untilFree(() => {
      let statement = this.#statements.get(text);
      if (!statement) this.#statements.set(text, (statement = this.#database.prepare(text)));
      // the driver's rows have no prototype; the rest of the code compares plain objects
      if (isRead(text))
        return { rows: statement.all(...parameters).map((row) => ({ ...(row as object) }) as R) };
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
    });
  }
  // the interface asks for it; the ledger never streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported');
  }
}

/** One connection, handed from one user to the next: a transaction is never entered by another caller's statement. */
class SqliteDriver implements Driver {
  readonly #database: SqliteDatabase;
  readonly #connection: Connection;
  #tail: Promise<void> = Promise.resolve();
  #release = (): void => {};
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#connection = new Connection(database);
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#tail;
    let release = (): void => {};
    this.#tail = new Promise((resolve) => (release = resolve));
    await before;
    this.#release = release;
    return this.#connection;
  }
  async releaseConnection(): Promise<void> {
    this.#release();
  }
  // immediate: a deferred transaction that writes after it read can meet a lock it cannot wait for
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'));
  }
  async destroy(): Promise<void> {
    this.#database.close();
  }
}

/** Migrations run in one immediate transaction, so that two processes may start at once. */
class LockingAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

const dialect = (database: SqliteDatabase): Dialect => ({
  createDriver: () => new SqliteDriver(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new LockingAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

/**
 * Writers come one after the other, so that a count of the writes loses none.
 *
 * @param forgetful a second connection to the same file, whose commits do not wait for the disk
 */
export const sqliteEngine = (database: SqliteDatabase, forgetful: SqliteDatabase): Engine => ({
  dialect: dialect(database),
  forgetful: dialect(forgetful),
  counts: ['integer', (column) => column.primaryKey().autoIncrement()],
  stamp: sql<number>`(select coalesce(max(seq), 0) + 1 from orders)`,
  settled: sql<number>`(select coalesce(max(seq), 0) + 1 from orders)`,
  lock: (query) => query,
  skipLocked: (query) => query,
});

/** Durable settings: WAL, and FULL synchronous, read back because a driver may ignore it. */
export async function prepareSqlite(
  database: SqliteDatabase,
  forgetful: SqliteDatabase,
): Promise<void> {
  await untilFree(() => database.exec('pragma journal_mode = wal'));
  database.exec('pragma synchronous = full; pragma foreign_keys = on');
  const [row] = database.prepare('pragma synchronous').all() as { synchronous?: number }[];
  if (row?.synchronous !== 2) throw new Error('SQLite does not run with synchronous = FULL');
  // in WAL a commit without a sync is lost at worst with those after it, and the next durable commit carries it along
  forgetful.exec('pragma synchronous = normal');
}
