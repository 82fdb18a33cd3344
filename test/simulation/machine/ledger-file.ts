/**
 * The file of a ledger, on a file system in memory. It knows how much of the write-ahead log is
 * synced, so that a power cut loses exactly the commits that SQLite would lose.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

export type LedgerFile = {
  path(): string;
  /** A durable commit was written: it and all before it are synced. */
  noteSynced(): void;
  /** Copies the log into the file, as SQLite does now and then. */
  checkpoint(): void;
  /** Loses what is not synced. Every connection must be closed first. */
  powerCut(): void;
  /** @returns the name of a copy as of now */
  backup(): string;
  /** Puts a copy in the ledger's place. Every connection must be closed first. */
  restore(copy: string): void;
};

/** A folder that ends with the process; in memory where the machine has such a file system. */
export function createLedgerFolder(): { folder: string; remove(): void } {
  const base = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  const folder = mkdtempSync(join(base, 'simulation-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export function createLedgerFile(folder: string, name: string): LedgerFile {
  mkdirSync(folder, { recursive: true });
  let generation = 0;
  let copies = 0;
  let syncedBytes = 0;
  const path = (): string => join(folder, `${name}-${generation}.db`);
  const logBytes = (): number => statSync(`${path()}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  /** Moves to a new name, so that nothing of the old connections can touch it. */
  const replaceBy = (fill: (from: string, to: string) => void): void => {
    const from = path();
    generation++;
    fill(from, path());
    for (const end of ['', '-wal', '-shm']) rmSync(`${from}${end}`, { force: true });
    syncedBytes = logBytes();
  };
  return {
    path,
    noteSynced: () => {
      syncedBytes = logBytes();
    },
    checkpoint: () => {
      const database = new DatabaseSync(path(), { timeout: 0 });
      try {
        database.exec('pragma wal_checkpoint(truncate)');
        syncedBytes = logBytes();
      } catch {
        // a transaction is open: the next checkpoint comes soon
      } finally {
        database.close();
      }
    },
    powerCut: () =>
      replaceBy((from, to) => {
        copyFileSync(from, to);
        if (!existsSync(`${from}-wal`)) return;
        copyFileSync(`${from}-wal`, `${to}-wal`);
        truncateSync(`${to}-wal`, syncedBytes);
      }),
    backup: () => {
      const copy = join(folder, `${name}-backup-${++copies}.db`);
      const database = new DatabaseSync(path(), { timeout: 0 });
      database.exec(`vacuum into '${copy}'`);
      database.close();
      return copy;
    },
    restore: (copy) => replaceBy((_from, to) => copyFileSync(copy, to)),
  };
}
