/** The record of handled events (`EventStore`) in SQLite. */
import {
  FIND_EVENT_SQL,
  INSERT_EVENT_SQL,
  LAST_SEQUENCE_SQL,
  positional,
  valuesOf,
} from './event-table.js';
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
    add: async (tx, row) => Boolean(tx.prepare(positional(INSERT_EVENT_SQL)).get(...valuesOf(row))),
    lastSequence: async (tx, { epoch, intent_id }) => {
      const row = tx.prepare(positional(LAST_SEQUENCE_SQL)).get(intent_id, epoch) as {
        last?: number;
      };
      return row.last ?? 0;
    },
    isAdded: async (tx, event_id) => Boolean(tx.prepare(positional(FIND_EVENT_SQL)).get(event_id)),
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
