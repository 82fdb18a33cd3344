/** The differences between the database engines of a SQL ledger. */
import type { Dialect, Kysely, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { HeldBack } from '../ledger.js';
import type { ListName, Reach } from '../shop-ledger.js';
import type { Tables } from './tables.js';

type Select<T extends keyof Tables, O> = SelectQueryBuilder<Tables, T, O>;

export type Engine = {
  readonly dialect: Dialect;
  /** For reads that must not wait for a writer; null when readers never wait. */
  readonly reader: Dialect | null;
  /**
   * For writes that a power cut may lose: leases, query slots, heartbeats, results of deliveries to
   * the shop. Null when such a write is no cheaper than a durable one.
   */
  readonly relaxedDurability: Dialect | null;
  /**
   * Whether the orders and events have monthly partitions, and `order_places` exists. Such an
   * engine also writes several tables in one statement, which saves requests to its server.
   */
  readonly hasMonths: boolean;
  /** The number of an order that is written. */
  readonly nextOrder: RawBuilder<number>;
  /**
   * The number of an event that is written; null where the table gives it. It is taken when the
   * intent is locked, so that the events of an intent are in order.
   */
  readonly nextEvent: RawBuilder<number> | null;
  /** Selects how far each list reaches. A later statement sees all rows up to `settled`. */
  readonly reach: Readonly<Record<ListName, RawBuilder<Reach>>>;
  /** Selects what holds back a list; null where nothing can, because there is one writer. */
  readonly heldBack: RawBuilder<HeldBack> | null;
  /** The database's clock in milliseconds; null when the database uses this machine's clock. */
  readonly now: RawBuilder<number> | null;
  /** The database's own check for damage; null where it has none. */
  readonly checkQuery: RawBuilder<unknown> | null;
  /** Writes a copy into an empty file; null where the database has its own tools. */
  readonly backupQuery: ((file: string) => RawBuilder<unknown>) | null;
  /** Locks the rows until the transaction ends. */
  lock<T extends keyof Tables, O>(query: Select<T, O>): Select<T, O>;
  /** Locks the rows as `lock` does, but skips rows that another transaction has locked. */
  skipLocked<T extends keyof Tables, O>(query: Select<T, O>): Select<T, O>;
  /** @throws LedgerGoneError when the file is no longer the one that was opened */
  checkFile(): void;
  /** Called when the schema is up to date, before a relay uses the ledger. */
  migrated(db: Kysely<Tables>): Promise<void>;
  /** Closes all connections; Kysely does not close those of a dialect that was never used. */
  release(): void;
};
