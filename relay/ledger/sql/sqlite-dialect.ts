/** Kysely's SQLite dialect, over any database with the `node:sqlite` interface. */
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

/** Delay before a busy BEGIN is retried; SQLite's own busy timeout would block the event loop. */
const BUSY_RETRY_MS = 3;
/** Longest wait of a writer for other writers, in this process and in others together. */
export const MAX_WRITE_WAIT_MS = 4000;

const isBusy = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_BUSY|database is locked/.test(error.message);
const isFull = (error: unknown): boolean =>
  error instanceof Error && /SQLITE_FULL|disk is full|SQLITE_IOERR|disk I\/O/.test(error.message);
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const busy = (cause?: unknown): LedgerBusyError =>
  new LedgerBusyError('the ledger is locked by another process', { cause });

/**
 * @param deadline by performance.now()
 * @throws LedgerBusyError when the lock is still held at `deadline`
 */
async function retryWhileBusy<T>(deadline: number, work: () => T): Promise<T> {
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
  /** When the current user stops waiting for another process, by performance.now(). */
  deadline = Infinity;
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }
  executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return retryWhileBusy(this.deadline, () => {
      let statement = this.#statements.get(text);
      if (!statement) this.#statements.set(text, (statement = this.#database.prepare(text)));
      // the driver's rows have no prototype, so deepEqual with a plain object would fail
      if (isRead(text))
        return { rows: statement.all(...parameters).map((row) => ({ ...(row as object) }) as R) };
      return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) };
    });
  }
  // the interface requires it, but the ledger never streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported');
  }
}

type Waiter = { deadline: number; take: () => void };

/** One connection with a queue, so that no statement enters another caller's transaction. */
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
    if (this.#taken) await this.#waitInQueue(deadline);
    this.#taken = true;
    this.#connection.deadline = deadline;
    return this.#connection;
  }
  /** @throws LedgerBusyError when the connection is not free in time */
  #waitInQueue(deadline: number): Promise<void> {
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
  // `immediate`: a deferred transaction that writes after a read can fail on a lock without waiting
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // a full disk has already ended the transaction; a second error would hide the first
    await connection.executeQuery(CompiledQuery.raw('rollback')).catch((error: unknown) => {
      if (!/no transaction is active/.test(String(error))) throw error;
    });
  }
  /**
   * Waits for the transaction under way and for those in the queue. The engine closes the
   * connection itself, since Kysely does not destroy a driver that was never used.
   */
  async destroy(): Promise<void> {
    await this.acquireConnection();
  }
}

/** Runs migrations in one immediate transaction, so that two processes can start concurrently. */
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
  /** Reads while another process holds the write lock. */
  reader: SqliteDatabase;
  /** Its commits do not wait for the disk. */
  relaxed: SqliteDatabase;
};

/** SQLite has one writer at a time, so a simple counter misses no write. */
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
  eventTransaction: sql<number>`0`,
  eventsCommittedBelow: sql<number>`1`,
  nextTransaction: null,
  now: null,
  checkFile,
  release: () => {
    // afterwards a copy of the main file alone is complete; if another process is writing, that
    // process runs the checkpoint later
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
 * Pages (16 MB) that the write-ahead log holds before a commit copies them into the file. In a
 * large ledger almost every logged page is a different page of the file, since identifiers are
 * random; with SQLite's default of 1000 pages, more than one commit in a hundred had to copy.
 */
const CHECKPOINT_PAGES = 4000;

/** Sets WAL and `synchronous = full`, and reads the latter back since a driver may ignore it. */
export async function prepareSqlite({ relaxed, writer }: SqliteConnections): Promise<void> {
  const deadline = performance.now() + MAX_WRITE_WAIT_MS;
  await retryWhileBusy(deadline, () => writer.exec('pragma journal_mode = wal'));
  writer.exec('pragma synchronous = full; pragma foreign_keys = on');
  const [row] = writer.prepare('pragma synchronous').all() as { synchronous?: number }[];
  if (row?.synchronous !== 2) throw new Error('SQLite does not run with synchronous = FULL');
  // in WAL mode a power cut can undo an unsynced commit only together with all later ones; the
  // next durable commit makes it durable too
  relaxed.exec('pragma synchronous = normal');
  for (const each of [writer, relaxed])
    each.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}
