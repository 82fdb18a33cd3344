/** What differs between the engines that a SQL ledger runs on. */
import type { ColumnBuilderCallback, Dialect, RawBuilder, SelectQueryBuilder } from 'kysely';
import type { Tables } from './tables.js';

type Select<T extends keyof Tables, O> = SelectQueryBuilder<Tables, T, O>;

export type Engine = {
  readonly dialect: Dialect;
  /** For writes that a power cut may forget: who asks when, who is alive. Null when the first way is as cheap. */
  readonly forgetful: Dialect | null;
  /** Column of a table's own count. */
  readonly counts: readonly ['integer' | 'bigserial', ColumnBuilderCallback];
  /** Number of the write under way; a later write never has a lower one. */
  readonly stamp: RawBuilder<number>;
  /** Every write below this number has been committed or rolled back: nothing can appear there any more. */
  readonly settled: RawBuilder<number>;
  /** Holds the rows until the transaction ends. */
  lock<T extends keyof Tables, O>(query: Select<T, O>): Select<T, O>;
  /** As lock, leaving out rows that another transaction holds. */
  skipLocked<T extends keyof Tables, O>(query: Select<T, O>): Select<T, O>;
};
