/** Opens the ledger that the configuration names, on Node. */
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import type { Ledger } from '../ledger/ledger.js';
import { memoryLedger } from '../ledger/memory-ledger.js';
import { postgresEngine } from '../ledger/sql/postgres-engine.js';
import { prepareSqlite, sqliteEngine } from '../ledger/sql/sqlite-dialect.js';
import { sqlLedger } from '../ledger/sql/sql-ledger.js';
import { createPrivately, refuseBrokenFile } from './sqlite-file.js';

/**
 * Type of PostgreSQL's int8, which `pg` gives as text: our counts and milliseconds stay below 2^53.
 */
const INT8 = 20;
const CONNECTIONS = 16;

/**
 * @param name `sqlite:FILE`, `postgres://…` or `memory:`; a relative FILE starts at the working
 * directory
 */
export async function openLedger(
  name: string,
  onError: (error: Error) => void = () => {},
): Promise<Ledger> {
  if (name === 'memory:') return memoryLedger();
  if (name.startsWith('sqlite:')) {
    const file = name.slice('sqlite:'.length);
    createPrivately(file);
    refuseBrokenFile(file);
    const open = () => new DatabaseSync(file, { timeout: 0 });
    const connections = { writer: open(), reader: open(), relaxed: open() };
    await prepareSqlite(connections);
    return sqlLedger(sqliteEngine(connections));
  }
  return sqlLedger(postgresEngine(postgresPool(name, onError)));
}

function postgresPool(connectionString: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    statement_timeout: 10_000,
    types: {
      getTypeParser: (oid: number) =>
        (oid === INT8 ? Number : pg.types.getTypeParser(oid)) as (value: string) => unknown,
    },
  });
  // a primary that dies must not take the process along: both kinds of connection, idle and in use,
  // report here
  pool.on('error', onError);
  pool.on('connect', (client) => void client.on('error', onError));
  return pool;
}
