/**
 * Kysely's SQLite dialect, over any database with the `node:sqlite` interface. It has a driver of
 * our own, because Kysely's driver takes the write lock only at the first write, and commits each
 * transaction alone.
 */
import {
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type LimitNode,
  type RawBuilder,
} from 'kysely';
import type { Reach } from '../shop-ledger.js';
import type { Engine } from './engine.js';
import { isBusy, MAX_WRITE_WAIT_MS, retryWhileBusy } from './sqlite-busy.js';
import { SqliteDriver } from './sqlite-driver.js';
import { NO_GUARD, type FileGuard, type SqliteDatabase } from './sqlite-statements.js';

/** Runs migrations in one immediate transaction, so that two processes can start concurrently. */
class LockingAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Writes `limit ? + 0`. SQLite reads the value of a bare `limit ?` when it compiles the statement,
 * so it would compile the statement again at each execution, which takes ten times as long.
 */
class KeptCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(' + 0');
  }
}

const dialect = (database: SqliteDatabase, guard: FileGuard, groupsCommits = false): Dialect => ({
  createDriver: () => new SqliteDriver(database, groupsCommits, guard),
  createQueryCompiler: () => new KeptCompiler(),
  createAdapter: () => new LockingAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
});

export type SqliteConnections = {
  writer: SqliteDatabase;
  /** Reads while another process holds the write lock. */
  reader: SqliteDatabase;
  /** Its commits do not wait for the disk. */
  relaxed: SqliteDatabase;
};

/** SQLite has one writer at a time, so every number that was given is committed. */
const settledAt = (last: string): RawBuilder<Reach> =>
  sql.raw(`select last, last as settled, false as is_standby from (select ${last})`);

export const sqliteEngine = (
  { reader, relaxed, writer }: SqliteConnections,
  guard: FileGuard = NO_GUARD,
): Engine => ({
  dialect: dialect(writer, guard, true),
  reader: dialect(reader, { ...guard, check: () => {} }),
  relaxedDurability: dialect(relaxed, guard),
  hasMonths: false,
  // SQLite has one writer at a time, so a simple counter misses no write
  nextOrder: sql<number>`(select coalesce(max(changed_in), 0) + 1 from orders)`,
  nextEvent: null,
  reach: {
    orders: settledAt('coalesce(max(changed_in), 0) as last from orders'),
    events: settledAt(
      `coalesce(max(seq), 0) as last from sqlite_sequence where name = 'shop_events'`,
    ),
  },
  heldBack: null,
  now: null,
  lock: (query) => query,
  skipLocked: (query) => query,
  checkFile: guard.check,
  // Otherwise SQLite copies each page that a savepoint changes into a file. A migration keeps the
  // file, because it may sort the rows of a large ledger.
  migrated: async () => writer.exec('pragma temp_store = memory'),
  release: () => {
    // after the checkpoint a copy of the main file alone is complete; if another process is
    // writing, that process runs the checkpoint later
    try {
      writer.exec('pragma wal_checkpoint(truncate)');
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
    for (const connection of [relaxed, reader, writer]) connection.close();
  },
  checkQuery: sql`pragma integrity_check`,
  backupQuery: (file) => sql`vacuum into ${file}`,
});

/**
 * Pages (16 MB) that the write-ahead log holds before a commit copies them into the file. In a
 * large ledger almost every logged page is a different page of the file, since identifiers are
 * random. With SQLite's default of 1000 pages, more than one commit in a hundred had to copy.
 */
const CHECKPOINT_PAGES = 4000;

/** Sets WAL and `synchronous = full`, and reads the latter back since a driver may ignore it. */
export async function prepareSqlite({ relaxed, writer }: SqliteConnections): Promise<void> {
  const deadline = performance.now() + MAX_WRITE_WAIT_MS;
  await retryWhileBusy(deadline, () => writer.exec('pragma journal_mode = wal'));
  writer.exec('pragma synchronous = full; pragma foreign_keys = on');
  const [row] = writer.prepare('pragma synchronous').all() as { synchronous?: number }[];
  if (row?.synchronous !== 2) throw new Error('SQLite does not run with synchronous = FULL');
  // in WAL mode a power cut can undo an unsynced commit only together with all later commits; the
  // next durable commit makes the unsynced commit durable too
  relaxed.exec('pragma synchronous = normal');
  for (const each of [writer, relaxed])
    each.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}
