/** Connections of a ledger that report each statement that they execute. */
import type { Pool } from '../../../relay/ledger/postgres/postgres-ledger.js';
import type { SqliteDatabase } from '../../../relay/ledger/sqlite/statements.js';

export type Seen = { readonly sql: string; readonly parameters: readonly unknown[] };

export const observedPool = (pool: Pool, see: (statement: Seen) => void): Pool => ({
  connect: async () => {
    const { query, release } = await pool.connect();
    return {
      query: (sql, parameters) => {
        see({ sql, parameters });
        return query(sql, parameters);
      },
      release,
    };
  },
  end: () => pool.end(),
});

export const observedDatabase = (
  database: SqliteDatabase,
  see: (statement: Seen) => void,
): SqliteDatabase => ({
  prepare: (sql) => {
    const statement = database.prepare(sql);
    return {
      all: (...parameters) => (see({ sql, parameters }), statement.all(...parameters)),
      run: (...parameters) => (see({ sql, parameters }), statement.run(...parameters)),
      columns: () => statement.columns(),
      setReturnArrays: (returnArrays) => statement.setReturnArrays(returnArrays),
    };
  },
  exec: (sql) => database.exec(sql),
  close: () => database.close(),
});
