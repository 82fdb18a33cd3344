/** Opens the ledger that the configuration names, on Node. */
import { DatabaseSync } from '@photostructure/sqlite';
import type { Ledger } from './ledger/ledger.js';
import { memoryLedger } from './ledger/memory-ledger.js';
import { prepareSqlite, sqliteDialect } from './ledger/sql/sqlite-dialect.js';
import { sqlLedger } from './ledger/sql/sql-ledger.js';

/** @param name `sqlite:FILE` or `memory:`; a relative FILE starts at the working directory */
export async function openLedger(name: string): Promise<Ledger> {
  if (name === 'memory:') return memoryLedger();
  if (!name.startsWith('sqlite:')) throw new Error(`ledger: ${name.split(':')[0]}: is not supported; expected "sqlite:FILE"`);
  const database = new DatabaseSync(name.slice('sqlite:'.length), { timeout: 0 });
  await prepareSqlite(database);
  return sqlLedger(sqliteDialect(database));
}
