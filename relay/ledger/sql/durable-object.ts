/** The ledger in the SQLite database of a Durable Object, for workerd. */
import {
  sql,
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Driver,
  type Kysely,
  type QueryResult,
  type TableMetadata,
} from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Engine } from './engine.js';
import { SQLITE, sqliteDialect } from './sqlite-dialect.js';
import { sqlLedger } from './sql-ledger.js';

/** The part of a Durable Object's storage that the ledger uses. */
export type DurableObjectStorage = {
  readonly sql: {
    exec(query: string, ...values: unknown[]): { toArray(): Record<string, unknown>[] };
  };
  /** Commits when `run` resolves, and rolls back when it rejects. */
  transaction<T>(run: () => Promise<T>): Promise<T>;
};

/**
 * Opens the ledger in the SQLite storage of a Durable Object, and makes its tables. A
 * Durable Object sends nothing before its writes are on disk, so the claim of an order is durable
 * before its pay is sent.
 */
export const durableObjectLedger = (storage: DurableObjectStorage): Promise<Ledger> =>
  sqlLedger(engine(storage));

const engine = (storage: DurableObjectStorage): Engine => ({
  ...SQLITE,
  dialect: {
    ...sqliteDialect(() => new DurableObjectDriver(storage)),
    createIntrospector: tableNames,
  },
  reader: null,
  relaxedDurability: null,
  checkQuery: null,
  backupQuery: null,
  checkFile: () => {},
  migrated: async () => {},
  release: () => {},
});

/** The storage while one caller holds it. */
class HeldConnection implements DatabaseConnection {
  readonly #storage: DurableObjectStorage;
  readonly released: Promise<void>;
  /** Lets the next caller begin. */
  release: () => void = () => {};
  #commit: () => void = () => {};
  #rollBack: () => void = () => {};
  #ended: Promise<unknown> = Promise.resolve();
  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.released = new Promise((resolve) => (this.release = resolve));
  }
  async executeQuery<R>({ parameters, query, sql: text }: CompiledQuery): Promise<QueryResult<R>> {
    const statement: [string, ...unknown[]] =
      parameters.length > MAX_VALUES ? withOneValue(text, parameters) : [text, ...parameters];
    const rows = this.#storage.sql.exec(...statement).toArray() as R[];
    if (query.kind === 'SelectQueryNode') return { rows };
    // `rowsWritten` of the storage also counts the rows of indexes
    const [changed] = this.#storage.sql.exec('select changes() as count').toArray();
    return { rows, numAffectedRows: BigInt(Number(changed?.count)) };
  }
  // the interface requires it, but the ledger never streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not supported');
  }
  /** The storage takes no `begin`: its own transaction stays open until Kysely ends it. */
  begin(): Promise<void> {
    return new Promise((begun, failed) => {
      const untilEnd = (): Promise<void> =>
        new Promise((commit, rollBack) => {
          this.#commit = commit;
          this.#rollBack = () => rollBack(ROLLED_BACK);
          begun();
        });
      this.#ended = this.#storage.transaction(untilEnd);
      this.#ended.catch(failed);
    });
  }
  async commit(): Promise<void> {
    this.#commit();
    await this.#ended;
  }
  async rollBack(): Promise<void> {
    this.#rollBack();
    await this.#ended.catch((error: unknown) => {
      if (error !== ROLLED_BACK) throw error;
    });
  }
}

/** The platform refuses a statement with more values. */
const MAX_VALUES = 100;
/** A text, a quoted name, or the place of a value. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/** Hands over all values as one JSON array. They are texts, numbers and null. */
function withOneValue(text: string, values: readonly unknown[]): [string, string] {
  let index = 0;
  const replaced = text.replace(TOKEN, (token) =>
    token === '?' ? `json_extract(?1, '$[${index++}]')` : token,
  );
  return [replaced, JSON.stringify(values)];
}

const ROLLED_BACK = new Error('the transaction was rolled back');

/** Serves one caller at a time, so that no statement enters another caller's transaction. */
class DurableObjectDriver implements Driver {
  readonly #storage: DurableObjectStorage;
  #last: Promise<void> = Promise.resolve();
  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<HeldConnection> {
    const before = this.#last;
    const held = new HeldConnection(this.#storage);
    this.#last = held.released;
    await before;
    return held;
  }
  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as HeldConnection).begin();
  }
  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as HeldConnection).commit();
  }
  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as HeldConnection).rollBack();
  }
  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as HeldConnection).release();
  }
  /** Waits for the callers in the queue. */
  async destroy(): Promise<void> {
    await this.#last;
  }
}

/**
 * Names the tables, which is all that migrations need. Kysely's own reader also asks for the
 * columns of the platform's tables (`_cf_…`), and the platform refuses that.
 */
function tableNames(db: Kysely<never>): DatabaseIntrospector {
  const getTables = async (): Promise<TableMetadata[]> => {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not glob '_cf_*'`.execute(db);
    return rows.map(({ name }) => ({ name, isView: false, columns: [] }));
  };
  return {
    getSchemas: async () => [],
    getTables,
    getMetadata: async () => ({ tables: await getTables() }),
  };
}
