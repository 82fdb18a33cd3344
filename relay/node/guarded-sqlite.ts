/** Stops the writes of a connection after its ledger's file was removed, replaced or damaged. */
import type { SqliteDatabase } from '../ledger/sql/sqlite-statements.js';
import type { FileGuard } from './sqlite-file.js';

/** Statements that write when they run alone, and the beginning of a transaction. */
const WRITES = /^\s*(begin|insert|update|delete|replace)\b/i;
const BEGINS = /^\s*begin\b/i;
const ENDS = /^\s*(commit|rollback)\s*$/i;

/** The checks run once for each transaction, because each of them asks the file system. */
export function guardedSqlite(database: SqliteDatabase, guard: FileGuard): SqliteDatabase {
  let isInTransaction = false;
  const noting = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      guard.note(error);
      throw error;
    }
  };
  return {
    prepare: (text) => {
      const statement = noting(() => database.prepare(text));
      const guarded = <T>(work: () => T): T => {
        if (!isInTransaction && WRITES.test(text)) guard.check();
        const result = noting(work);
        if (BEGINS.test(text)) isInTransaction = true;
        return result;
      };
      const ended = <T>(work: () => T): T => {
        try {
          return noting(work);
        } finally {
          isInTransaction = false;
        }
      };
      const run = ENDS.test(text) ? ended : guarded;
      return {
        all: (...values) => run(() => statement.all(...values)),
        run: (...values) => run(() => statement.run(...values)),
        columns: () => statement.columns(),
        setReturnArrays: (returnArrays) => statement.setReturnArrays(returnArrays),
      };
    },
    exec: (text) => noting(() => database.exec(text)),
    close: () => database.close(),
  };
}
