/** PostgreSQL for the SQL builder, over a pool of `pg`. */
import { PostgresDialect, sql, type PostgresPool } from 'kysely';
import type { Engine } from './engine.js';

/**
 * Writes are numbered by their transaction, and read only below the oldest one still open: a sequence would lose those that commit late.
 *
 * An engine without transaction ids (Yugabyte, Cockroach) is not supported, and says so when the ledger is opened.
 */
export const postgresEngine = (pool: PostgresPool): Engine => ({
  dialect: new PostgresDialect({ pool }),
  // it commits for many writers in one go
  forgetful: null,
  counts: ['bigserial', (column) => column.primaryKey()],
  stamp: sql<number>`pg_current_xact_id()::text::bigint`,
  settled: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  lock: (query) => query.forUpdate(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
});
