/** What differs between the engines that a SQL ledger runs on. */
import type { ColumnBuilderCallback, Dialect, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { Tables } from './tables.js';

type Select<T extends keyof Tables, O> = SelectQueryBuilder<Tables, T, O>;

export type Engine = {
  readonly dialect: Dialect;
  /** For reads that must not wait behind a writer. Null when readers never wait. */
  readonly reader: Dialect | null;
  /**
   * For writes that a power cut may forget: who asks when, who is alive. Null when such a write is
   * no cheaper than a durable one.
   */
  readonly relaxedDurability: Dialect | null;
  /** Column of a table's own count. */
  readonly autoIncrement: readonly ['integer' | 'bigserial', ColumnBuilderCallback];
  /** Number of the write under way; a later write never has a lower one. */
  readonly nextSequence: RawBuilder<number>;
  /** Every write below this number is committed or rolled back: nothing can appear there. */
  readonly committedBelow: RawBuilder<number>;
  /** The database's clock in milliseconds; null: this process's clock is as good. */
  readonly now: RawBuilder<number> | null;
  /** The database's own check for damage; null where it has none to ask. */
  readonly checkQuery: RawBuilder<unknown> | null;
  /** Writes a copy into a file that is empty; null where the database has tools of its own. */
  readonly backupQuery: ((file: string) => RawBuilder<unknown>) | null;
  /** Holds the rows until the transaction ends. */
  lock<T extends keyof Tables, O>(query: Select<T, O>): Select<T, O>;
  /** As lock, leaving out rows that another transaction holds. */
  skipLocked<T extends keyof Tables, O>(query: Select<T, O>): Select<T, O>;
  /** @throws LedgerGoneError when the file is no longer the one that was opened */
  checkFile(): void;
  /** Closes what the dialects use. A dialect that was never used does not close it. */
  release(): void;
};
