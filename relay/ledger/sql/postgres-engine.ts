/** PostgreSQL for the SQL builder, over a pool of `pg`. */
import { PostgresDialect, sql, type PostgresPool } from 'kysely';
import type { Engine } from './engine.js';

/**
 * Numbers each write by its transaction id, and reads changes only below the oldest open
 * transaction. With a sequence, `changes` would miss writes that commit late.
 *
 * An engine without transaction ids (Yugabyte, Cockroach) is not supported: opening the ledger
 * fails.
 */
export const postgresEngine = (pool: PostgresPool): Engine => ({
  dialect: new PostgresDialect({ pool }),
  reader: null,
  // PostgreSQL groups the commits of many writers, so a relaxed commit would save nothing
  relaxedDurability: null,
  hasMonths: true,
  nextSequence: sql<number>`pg_current_xact_id()::text::bigint`,
  committedBelow: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  eventTransaction: sql<number>`pg_current_xact_id()::text::bigint`,
  eventsCommittedBelow: sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`,
  nextTransaction: sql<number>`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
  now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  checkQuery: null,
  backupQuery: null,
  checkFile: () => {},
  migrated: () => {},
  release: () => {},
  lock: (query) => query.forUpdate(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
});
