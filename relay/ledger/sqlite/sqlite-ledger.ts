/** The ledger in a SQLite file. */
import type { OnDamage } from '../damage.js';
import type { Ledger, SchemaUse } from '../ledger.js';
import { NOT_OURS } from '../ledger-errors.js';
import type { Engine } from '../tables/engine.js';
import { first, type Program } from '../tables/program.js';
import { checkGeneration, makeTables, tablesOf } from '../tables/schema.js';
import { tablesLedger } from '../tables/tables-ledger.js';
import { asBusy, MAX_WRITE_WAIT_MS, retryWhileBusy } from './busy.js';
import { changeIntent } from './change-intent.js';
import { NO_GUARD, Statements, type FileGuard, type SqliteDatabase } from './statements.js';
import { createWriter } from './writer.js';

export type SqliteConnections = {
  writer: SqliteDatabase;
  /** Reads while another process holds the write lock. */
  reader: SqliteDatabase;
  /** Its commits do not wait for the disk. */
  relaxed: SqliteDatabase;
};

/**
 * Opens the ledger.
 *
 * @throws GenerationError when a relay of another generation has used this ledger
 */
export async function sqliteLedger(
  connections: SqliteConnections,
  schema: SchemaUse = 'create',
  guard?: FileGuard,
  onDamage?: OnDamage,
): Promise<Ledger> {
  const engine = sqliteEngine(connections, guard);
  await prepareSqlite(connections).catch(async (error: unknown) => {
    // a relay that is mounted in a shop tries again and again
    await engine.close().catch(() => {});
    throw error;
  });
  return openSqlite(engine, schema, onDamage);
}

/** Opens a ledger over an engine that is ready. */
export async function openSqlite(
  engine: Engine,
  schema: SchemaUse = 'create',
  onDamage?: OnDamage,
): Promise<Ledger> {
  try {
    if (schema !== 'leave') await useSchema(engine, schema);
  } catch (error) {
    await engine.close().catch(() => {});
    throw error;
  }
  return tablesLedger(engine, onDamage);
}

export function sqliteEngine(connections: SqliteConnections, guard = NO_GUARD): Engine {
  const reader = new Statements(connections.reader, guard);
  const durable = createWriter(new Statements(connections.writer, guard));
  const relaxed = createWriter(new Statements(connections.relaxed, guard));
  return {
    read: async (program) => reader.run(program()),
    write: durable.write,
    relaxed: relaxed.write,
    rebuildable: relaxed.write,
    change: (intentId, rule, also = {}) => durable.write(() => changeIntent(intentId, rule, also)),
    reach: {
      orders: settledAt('select coalesce(max(position), 0) as last from intents'),
      events: settledAt(
        `select coalesce(max(seq), 0) as last from sqlite_sequence where name = 'events'`,
      ),
    },
    heldBack: null,
    now: null,
    skipLocked: '',
    textsIn: (value) => `select value from json_each($${value})`,
    pairsIn: (value) => `select key, value from json_each($${value}) where true`,
    isAmong: (column, subquery) => `${column} in (${subquery})`,
    checkQuery: 'pragma integrity_check',
    keepsNewest: true,
    backup: async (file) => void reader.execute('vacuum into $1', file),
    checkFile: guard.check,
    close: async () => {
      await Promise.all([durable.idle(), relaxed.idle()]);
      release(connections);
    },
  };
}

/** SQLite has one writer at a time, so every number that was given is committed. */
const settledAt = (last: string): string =>
  `select last, last as settled, false as is_standby from (${last})`;

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
  writer.exec('pragma synchronous = full');
  const [row] = writer.prepare('pragma synchronous').all() as { synchronous?: number }[];
  if (row?.synchronous !== 2) throw new Error('SQLite does not run with synchronous = FULL');
  // in WAL mode a power cut can undo an unsynced commit only together with all later commits; the
  // next durable commit makes the unsynced commit durable too
  relaxed.exec('pragma synchronous = normal');
  for (const each of [writer, relaxed])
    each.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
}

function release({ reader, relaxed, writer }: SqliteConnections): void {
  // after the checkpoint a copy of the main file alone is complete; if another process is writing,
  // that process runs the checkpoint later; on a disk that takes no writes the log stays beside the
  // file, complete
  try {
    writer.exec('pragma wal_checkpoint(truncate)');
  } catch (error) {
    if (asBusy(error) === error) throw error;
  } finally {
    for (const connection of [relaxed, reader, writer]) connection.close();
  }
}

const TABLES = tablesOf({
  text: 'text',
  int: 'integer',
  seq: 'integer primary key autoincrement',
  keyed: ' without rowid',
  changing: '',
});

/** Names the cause when a table of our name has other columns; returns any other error as it is. */
export const asNotOurs = (error: unknown): unknown =>
  error instanceof Error && /no such column/.test(error.message)
    ? new Error(`ledger: ${NOT_OURS}`)
    : error;

async function useSchema({ read, write }: Engine, schema: SchemaUse): Promise<void> {
  const isNew = await read(isNewLedger);
  if (schema === 'check' || !isNew)
    return read(() => checkGeneration(isNewLedger)).catch((error: unknown) => {
      throw asNotOurs(error);
    });
  await write(() => makeTables(isNewLedger, TABLES)).catch((cause: unknown) => {
    throw new Error('the tables of the ledger could not be made', { cause });
  });
}

function* isNewLedger(): Program<boolean> {
  return (yield* first("select name from sqlite_master where name = 'settings'")) === null;
}
