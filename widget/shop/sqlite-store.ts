/** The record of handled events (`EventStore`) in SQLite. */
import { recordBy } from './event-table.js';
import { createLimits, type StoreLimits } from './limits.js';
import type { EventStore } from './receive-events.js';

/** A database of node:sqlite, better-sqlite3 or another library with these methods. */
type SqliteDatabase = {
  exec(sql: string): unknown;
  prepare(sql: string): { get(...values: (string | number)[]): unknown };
};

/**
 * Runs one transaction at a time. Give the store a connection of its own: what other code writes on
 * the same connection would become part of the transaction that is running.
 *
 * @param limits `time_limit_s` bounds the wait for a turn only: a handler that hangs cannot be
 *   taken off the connection, so its transaction stays open until the process ends
 */
export function sqliteStore<Database extends SqliteDatabase>(
  database: Database,
  limits: Pick<StoreLimits, 'time_limit_s'> = {},
): EventStore<Database> {
  const { inTurn } = createLimits({ ...limits, transactions: 1 });
  return {
    transaction: (run) =>
      inTurn(async () => {
        database.exec('begin immediate');
        try {
          const value = await run(database);
          database.exec('commit');
          return value;
        } catch (error) {
          rollBack(database);
          throw error;
        }
      }),
    ...recordBy<Database>(
      (tx) =>
        async (pieces, ...values) => {
          const row = tx.prepare(pieces.join('?')).get(...values);
          // node:sqlite has undefined for no row, other libraries have null
          return row ? [row] : [];
        },
      false,
    ),
  };
}

/** After some errors, such as a full disk, SQLite has already rolled back by itself. */
function rollBack(database: SqliteDatabase): void {
  try {
    database.exec('rollback');
  } catch {
    // there is no transaction any more
  }
}
