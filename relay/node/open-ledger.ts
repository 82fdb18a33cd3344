/** Opens the ledger that the configuration names, on Node. */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import type { Ledger } from '../ledger/ledger.js';
import { memoryLedger } from '../ledger/memory-ledger.js';
import { postgresEngine } from '../ledger/sql/postgres-engine.js';
import { prepareSqlite, sqliteEngine } from '../ledger/sql/sqlite-dialect.js';
import { sqlLedger } from '../ledger/sql/sql-ledger.js';

/** Type of PostgreSQL's int8, which `pg` gives as text: our counts and milliseconds stay below 2^53. */
const INT8 = 20;
const CONNECTIONS = 16;

/** @param name `sqlite:FILE`, `postgres://…` or `memory:`; a relative FILE starts at the working directory */
export async function openLedger(
  name: string,
  onError: (error: Error) => void = () => {},
): Promise<Ledger> {
  if (name === 'memory:') return memoryLedger();
  if (name.startsWith('sqlite:')) {
    const file = name.slice('sqlite:'.length);
    createPrivately(file);
    const open = () => new DatabaseSync(file, { timeout: 0 });
    const database = open();
    const forgetful = open();
    await prepareSqlite(database, forgetful);
    return sqlLedger(sqliteEngine(database, forgetful));
  }
  return sqlLedger(postgresEngine(postgresPool(name, onError)));
}

/**
 * A ledger names customers and holds keys, so nobody else on the machine reads it.
 * SQLite gives the files beside it (-wal, -shm) the same mode. A file that exists keeps its own.
 */
function createPrivately(file: string): void {
  if (file === ':memory:' || file.startsWith('file:')) return;
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch {
    // it exists, or SQLite says better what is wrong with the path
  }
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
  // a primary that dies must not take the process along: both kinds of connection, idle and in use, report here
  pool.on('error', onError);
  pool.on('connect', (client) => void client.on('error', onError));
  return pool;
}
