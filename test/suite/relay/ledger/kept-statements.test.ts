/** SQLite keeps the compiled statements of the running relay. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { openSqlite } from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import {
  prepareSqlite,
  sqliteEngine,
  type SqliteConnections,
} from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import type { SqliteDatabase } from '../../../../relay/ledger/sqlite/statements.js';
import { fill, type RunSql } from '../../support/filled-ledger.js';
import { callEverything } from './call-everything.js';

const ROWS = 1000;
const NOW = 1_800_000_000_000;
const OK = 0;

/**
 * Opens a connection that reports each statement that SQLite compiles while it executes it: the
 * compiler calls the authorizer, and a statement that is kept calls it only when it is prepared.
 */
function observed(file: string, see: (sql: string) => unknown): SqliteDatabase {
  const database = new DatabaseSync(file, { timeout: 0 });
  let executing: string | null = null;
  database.setAuthorizer(() => {
    if (executing !== null) see(executing);
    return OK;
  });
  return {
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const noting = <T>(work: () => T): T => {
        executing = sql;
        try {
          return work();
        } finally {
          executing = null;
        }
      };
      return {
        all: (...values) => noting(() => statement.all(...values)),
        run: (...values) => noting(() => statement.run(...values)),
        columns: () => statement.columns(),
        setReturnArrays: (returnArrays) => statement.setReturnArrays(returnArrays),
      };
    },
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
  };
}

const open = (file: string, see: (sql: string) => unknown = () => {}): SqliteConnections => ({
  writer: observed(file, see),
  reader: observed(file, see),
  relaxed: observed(file, see),
});

it('compiles no statement of the running relay again when SQLite executes it', async () => {
  const file = `file:/${crypto.randomUUID()}?vfs=memdb`;
  // a change of the schema makes SQLite compile the statements of its connection again, so another
  // connection makes the schema
  const created = open(file);
  await prepareSqlite(created);
  const createdLedger = await openSqlite(sqliteEngine(created));
  const run: RunSql = async (sql) => created.writer.prepare(sql).all() as Record<string, unknown>[];
  await fill(run, 'sqlite', { count: ROWS, now: NOW, dueFrom: NOW });

  const again = new Set<string>();
  let isOpened = false;
  // SQLite compiles the first `begin` of a connection twice, and never again
  const connections = open(file, (sql) => isOpened && sql !== 'begin immediate' && again.add(sql));
  const ledger = await openSqlite(sqliteEngine(connections), 'check');
  isOpened = true;
  await callEverything(ledger, { rows: ROWS, now: NOW });
  assert.deepEqual([...again], []);
  await ledger.close();
  await createdLedger.close();
});
