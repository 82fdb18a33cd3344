/**
 * A ledger in a file. It knows how much of the write-ahead log is synced, so that a power cut loses
 * exactly the commits that SQLite would lose.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { LedgerFile } from './ledger-file.js';

/** A file system in memory where the machine has one: there a sync costs nothing. */
const BASE = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export function createDiskFile(): LedgerFile {
  const folder = mkdtempSync(join(BASE, 'simulation-'));
  let generation = 0;
  let copies = 0;
  let syncedBytes = 0;
  const path = (): string => join(folder, `ledger-${generation}.db`);
  /** With locks inside one process, which are cheap: all relays of a world run in this process. */
  const address = (): string => `file:${path()}?vfs=unix-excl`;
  const logBytes = (): number => statSync(`${path()}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  /** Gives the ledger a new name, so that old connections cannot touch it. */
  const replaceBy = (fill: (from: string, to: string) => void): void => {
    const from = path();
    generation++;
    fill(from, path());
    for (const end of ['', '-wal', '-shm']) rmSync(`${from}${end}`, { force: true });
    syncedBytes = logBytes();
  };
  const withDatabase = (work: (database: DatabaseSyncInstance) => void): void => {
    const database = new DatabaseSync(address(), { timeout: 0 });
    try {
      work(database);
    } finally {
      database.close();
    }
  };
  return {
    address,
    noteSynced: () => {
      syncedBytes = logBytes();
    },
    checkpoint: () => {
      try {
        withDatabase((database) => database.exec('pragma wal_checkpoint(truncate)'));
        syncedBytes = logBytes();
      } catch {
        // a transaction is open: the next checkpoint comes soon
      }
    },
    powerCut: () =>
      replaceBy((from, to) => {
        copyFileSync(from, to);
        if (!existsSync(`${from}-wal`)) return;
        copyFileSync(`${from}-wal`, `${to}-wal`);
        truncateSync(`${to}-wal`, Math.min(syncedBytes, logBytes()));
      }),
    backup: () => {
      const copy = join(folder, `backup-${++copies}.db`);
      withDatabase((database) => database.exec(`vacuum into '${copy}'`));
      return copy;
    },
    restore: (copy) => replaceBy((_from, to) => copyFileSync(copy, to)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
