/** PostgreSQL for the SQL builder, over a pool of `pg`. */
import { PostgresDialect, sql, type PostgresPool } from 'kysely';
import type { Engine } from './engine.js';
import { postgresNumbers, raiseSequences } from './postgres-numbers.js';

/** An engine without advisory locks (Cockroach) is not supported: opening the ledger fails. */
export const postgresEngine = (pool: PostgresPool): Engine => ({
  dialect: new PostgresDialect({ pool }),
  reader: null,
  // PostgreSQL groups the commits of many writers, so a relaxed commit would save nothing
  relaxedDurability: null,
  hasMonths: true,
  ...postgresNumbers,
  now: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
  checkQuery: null,
  backupQuery: null,
  checkFile: () => {},
  migrated: raiseSequences,
  release: () => {},
  lock: (query) => query.forUpdate(),
  skipLocked: (query) => query.forUpdate().skipLocked(),
});
