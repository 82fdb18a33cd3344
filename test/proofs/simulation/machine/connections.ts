/** A relay's three connections to its ledger. The disk can be full, the database unreachable. */
import { DatabaseSync } from '@photostructure/sqlite';
import {
  prepareSqlite,
  type SqliteConnections,
} from '../../../../relay/ledger/sqlite/sqlite-ledger.js';
import type { SqliteDatabase } from '../../../../relay/ledger/sqlite/statements.js';
import type { LedgerFile } from './ledger-file.js';

/** What is wrong with the disk of a machine at this moment. */
export type Disk = { full: boolean; gone: boolean };

type Kind = 'read' | 'write' | 'begin' | 'commit' | 'rollback';

function kindOf(sql: string): Kind {
  const [word = ''] = /^\s*\w+( to)?/.exec(sql.toLowerCase()) ?? [];
  const name = word.trim();
  if (name === 'begin' || name === 'commit' || name === 'rollback') return name;
  return name === 'select' || name === 'pragma' ? 'read' : 'write';
}

/** @param onDurable called after each commit; absent when the connection does not sync commits */
function open(file: LedgerFile, disk: Disk, onDurable?: () => void): SqliteDatabase {
  const database = new DatabaseSync(file.address(), { timeout: 0 });
  let inTransaction = false;
  let isOpen = true;
  /** @throws what SQLite throws on such a disk; a transaction that cannot end is undone */
  const check = (kind: Kind): void => {
    const failsNow = disk.gone || (disk.full && (kind === 'commit' || isSingleWrite(kind)));
    if (!failsNow) return;
    if (inTransaction) database.exec('rollback');
    inTransaction = false;
    throw new Error(
      disk.gone
        ? 'SQLITE_CANTOPEN: unable to open database file'
        : 'SQLITE_FULL: database or disk is full',
    );
  };
  const isSingleWrite = (kind: Kind): boolean => kind === 'write' && !inTransaction;
  const note = (kind: Kind): void => {
    if (kind === 'begin') inTransaction = true;
    if (kind === 'commit' || isSingleWrite(kind)) onDurable?.();
    if (kind === 'commit' || kind === 'rollback') inTransaction = false;
  };
  return {
    prepare: (sql) => {
      const statement = database.prepare(sql);
      const kind = kindOf(sql);
      const guarded = <T>(work: () => T): T => {
        check(kind);
        const result = work();
        note(kind);
        return result;
      };
      return {
        all: (...values) => guarded(() => statement.all(...values)),
        run: (...values) => guarded(() => statement.run(...values)),
        columns: () => statement.columns(),
        setReturnArrays: (returnArrays) => statement.setReturnArrays(returnArrays),
      };
    },
    exec: (sql) => database.exec(sql),
    // a relay that cannot start closes its connections itself, before its process ends
    close: () => {
      if (!isOpen) return;
      // a connection closed with prepared statements would keep the lock of its transaction
      if (inTransaction) database.exec('rollback');
      database.close();
      isOpen = false;
    },
  };
}

/**
 * Opens the connections as the relay does on Node. The simulation copies the log into the file
 * itself, so that it knows how much of the log is synced.
 */
export async function openConnections(file: LedgerFile, disk: Disk): Promise<SqliteConnections> {
  const connections = {
    writer: open(file, disk, file.noteSynced),
    reader: open(file, disk),
    relaxed: open(file, disk),
  };
  await prepareSqlite(connections);
  for (const each of [connections.writer, connections.relaxed])
    each.exec('pragma wal_autocheckpoint = 0');
  return connections;
}
