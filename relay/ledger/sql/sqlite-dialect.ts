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
import { LedgerBusyError } from '../ledger.js';
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

/** Two processes on one file: BEGIN is tried again, since a busy timeout would block the loop. */
const BUSY_RETRY_MS = 3;
/** How long a writer waits in all, for the other writers of this process and for another's lock. */
export const MAX_WRITE_WAIT_MS = 4000;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_BUSY|database is locked/.test(error.message);
const isFull = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_FULL|disk is full|SQLITE_IOERR|disk I\/O/.test(error.message);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const busy = (cause?: unknown): LedgerBusyError =>
  new LedgerBusyError('the ledger is locked by another process', { cause });

/** @throws LedgerBusyError when the lock is still held at `deadline`, by performance.now() */
async function untilFree<T>(deadline: number, work: () => T): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (isFull(error))
        throw new LedgerBusyError('the ledger cannot be written: is its disk full?', {
          cause: error,
        });
      if (!isBusy(error)) throw error;
      if (performance.now() >= deadline) throw busy(error);
      await sleep(BUSY_RETRY_MS);
    }
  }
}

const isRead = (text: string): boolean =>
  /^\s*(select|pragma|with)\b/i.test(text) || /\breturning\b/i.test(text);

class Connection implements DatabaseConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, Statement>();
  /** Until when its present user may wait for another process, by performance.now(). */
  deadline = Infinity;
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }
  executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return untilFree(this.deadline, () => {
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

type Waiter = { deadline: number; take: () => void };

/** One connection with a queue: no caller's statement enters another caller's transaction. */
class SqliteDriver implements Driver {
  readonly #connection: Connection;
  readonly #waiters: Waiter[] = [];
  #taken = false;
  constructor(database: SqliteDatabase) {
    this.#connection = new Connection(database);
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    const deadline = performance.now() + MAX_WRITE_WAIT_MS;
    if (this.#taken) await this.#turn(deadline);
    this.#taken = true;
    this.#connection.deadline = deadline;
    return this.#connection;
  }
  /** @throws LedgerBusyError when the turn does not come in time */
  #turn(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { deadline, take: resolve };
      const giveUp = (): void => {
        const at = this.#waiters.indexOf(waiter);
        if (at < 0) return;
        this.#waiters.splice(at, 1);
        reject(busy());
      };
      const timer = setTimeout(giveUp, MAX_WRITE_WAIT_MS);
      waiter.take = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiters.push(waiter);
    });
  }
  async releaseConnection(): Promise<void> {
    const next = this.#waiters.shift();
    if (next) next.take();
    else this.#taken = false;
  }
  // immediate: a deferred transaction that writes after it read can meet a lock it cannot wait for
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // a full disk has ended the transaction already; a second error would hide the first
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch((error: unknown) => {
      if (!/no transaction is active/.test(String(error))) throw error;
    });
  }
  // the engine closes the connections: a driver that was never used is not destroyed
  async destroy(): Promise<void> {}
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

export type SqliteConnections = {
  writer: SqliteDatabase;
  /** Reads go on while another process holds the write lock. */
  reader: SqliteDatabase;
  /** Its commits do not wait for the disk. */
  relaxed: SqliteDatabase;
};

/** Writers come one after the other, so a count of the writes loses none. */
export const sqliteEngine = (
  { reader, relaxed, writer }: SqliteConnections,
  checkFile: () => void = () => {},
): Engine => ({
  dialect: dialect(writer),
  reader: dialect(reader),
  relaxedDurability: dialect(relaxed),
  autoIncrement: ['integer', (column) => column.primaryKey().autoIncrement()],
  nextSequence: sql<number>`(select coalesce(max(changed_in), 0) + 1 from orders)`,
  committedBelow: sql<number>`(select coalesce(max(changed_in), 0) + 1 from orders)`,
  now: null,
  checkFile,
  release: () => {
    // a copy of the file alone is then whole; another process may still write, and does it later
    try {
      writer.exec('pragma wal_checkpoint(truncate)');
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    for (const connection of [relaxed, reader, writer]) connection.close();
  },
  checkQuery: sql`pragma integrity_check`,
  backupQuery: (file) => sql`vacuum into ${file}`,
  lock: (query) => query,
  skipLocked: (query) => query,
});

/**
 * Pages in the write-ahead log, 16 MB, before a commit carries them into the file. In a large
 * ledger almost each page of the log is another page of the file, since identifiers fall all over
 * an index; with SQLite's own 1000 pages more than one commit in a hundred did that work.
 */
const CHECKPOINT_PAGES = 4000;

/** Durable settings: WAL, and FULL synchronous, read back because a driver may ignore it. */
export async function prepareSqlite({ relaxed, writer }: SqliteConnections): Promise<void> {
  const deadline = performance.now() + MAX_WRITE_WAIT_MS;
  await untilFree(deadline, () => writer.exec('pragma journal_mode = wal'));
  writer.exec('pragma synchronous = full; pragma foreign_keys = on');
  const [row] = writer.prepare('pragma synchronous').all() as { synchronous?: number }[];
  if (row?.synchronous !== 2) throw new Error('SQLite does not run with synchronous = FULL');
  // in WAL a power cut can undo a commit without a sync, and only together with those after it;
  // the next durable commit carries it along
  relaxed.exec('pragma synchronous = normal');
  for (const each of [writer, relaxed])
    each.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}
