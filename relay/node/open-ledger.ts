/** Opens the configured ledger on Node. */
import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { Secret } from '../config/secrets.js';
import type { OnDamage } from '../ledger/damage.js';
import type { Ledger, SchemaUse } from '../ledger/ledger.js';
import { isUnusable, LedgerLostError } from '../ledger/ledger-errors.js';
import { memoryLedger } from '../ledger/memory-ledger.js';
import { postgresLedger, type Connection, type Pool } from '../ledger/postgres/postgres-ledger.js';
import { sqliteLedger } from '../ledger/sqlite/sqlite-ledger.js';
import { createQueryOn } from './named-statements.js';
import { wrongSetting } from './required-settings.js';
import {
  createPrivately,
  fileGuard,
  foreignLog,
  hasLog,
  isDamage,
  isEmpty,
  refuseBrokenFile,
  sqliteFileOf,
} from './sqlite-file.js';

/** Type of PostgreSQL's int8, which `pg` returns as text; our numbers stay below 2^53. */
const INT8 = 20;
const CONNECTIONS = 16;
const QUERY_TIMEOUT_MS = 8000;

type OpenOptions = {
  /** Called with each error of an idle connection. */
  onError?: (error: Error) => void;
  /** By default, a list with an intent that cannot be read fails. */
  onDamage?: OnDamage;
  /** By default `create`; otherwise the ledger must exist. */
  schema?: SchemaUse;
  /** Whether the file is a restored backup: a log beside it may be of the previous ledger. */
  restored?: boolean;
};

/**
 * @param address `sqlite:FILE`, `postgres://…` or `memory:`; a relative FILE starts at the working
 *   directory
 */
export async function openLedger(
  address: Secret | string,
  { onDamage, onError = () => {}, restored = false, schema = 'create' }: OpenOptions = {},
): Promise<Ledger> {
  const name = address instanceof Secret ? address.reveal() : address;
  if (name === 'memory:') return memoryLedger();
  const file = sqliteFileOf(name);
  if (file !== null) {
    const isNew = schema === 'create' && createPrivately(file);
    if (!existsSync(file)) throw new Error(`ledger: ${file} does not exist`);
    if (!isNew) await refuseBrokenFile(file);
    if (restored && hasLog(file)) refuseForeignLog(file);
    const guard = fileGuard(file);
    const open = () => new DatabaseSync(file, { timeout: 0 });
    const connections = { writer: open(), reader: open(), relaxed: open() };
    try {
      return await sqliteLedger(connections, schema, guard, onDamage);
    } catch (error) {
      // after a full disk the next start would take it for a truncated ledger
      if (isNew && isEmpty(file)) rmSync(file);
      throw error;
    }
  }
  try {
    return await postgresLedger(discardSilent(postgresPool(name, onError)), schema, onDamage);
  } catch (error) {
    if (isUnusable(error)) throw error;
    throw new Error('ledger: the database cannot be opened', { cause: error });
  }
}

/**
 * Refuses a write-ahead log of the previous ledger, whose pages SQLite would mix with those of the
 * backup. The check reads the whole file, so it runs only where a log is beside a backup.
 *
 * @throws Error when the log does not belong to the backup
 */
function refuseForeignLog(file: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('pragma integrity_check').all() as { integrity_check: string }[];
    if (rows[0]?.integrity_check !== 'ok') throw foreignLog(file);
  } catch (error) {
    throw isDamage(error) ? foreignLog(file) : error;
  } finally {
    database.close();
  }
}

function postgresPool(connectionString: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: 5000,
    // before the client's: a claim that is written after the client gave up is sent by nobody
    statement_timeout: QUERY_TIMEOUT_MS - 1000,
    // a server that is gone enforces no timeout, so the client needs its own
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (oid: number) =>
        (oid === INT8 ? Number : pg.types.getTypeParser(oid)) as (value: string) => unknown,
    },
  });
  // without listeners, the error of an idle or a used connection would end the process
  pool.on('error', onError);
  pool.on('connect', (client) => void client.on('error', onError));
  return pool;
}

/** `pg` reports a missing answer only by these messages. */
const isSilence = (error: unknown): boolean =>
  error instanceof Error && /timeout|terminated/i.test(error.message);

/**
 * Codes of PostgreSQL (its manual, appendix A): no connection, a transaction that was rolled back,
 * no resources, a statement that was cancelled because of its timeout, a failure of the system, a
 * server that has become a standby, and a lock that was not free in time.
 */
const LOST = /^(08|40|53|57|58)|^(25006|55P03)$/;

/** @returns a LedgerLostError for an error of the connection; any other error as it is */
function asLost(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError) return error;
  if (error instanceof pg.DatabaseError && !LOST.test(error.code ?? '')) return error;
  return new LedgerLostError(error.message, { cause: error });
}

/**
 * A connection that did not answer is closed when it is released: its next user would get no answer
 * either. So is one whose server has a wrong setting: after a failover it may be another server.
 */
export function discardSilent(pool: pg.Pool): Pool {
  const queryOn = createQueryOn();
  const checked = new WeakSet<pg.PoolClient>();
  /** @throws LedgerLostError that says how to change a setting of the database */
  const check = async (client: pg.PoolClient): Promise<void> => {
    if (checked.has(client)) return;
    const wrong = await wrongSetting(client);
    if (wrong !== null) throw new LedgerLostError(wrong);
    checked.add(client);
  };
  return {
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw asLost(error);
      });
      let silent = false;
      const watched = async <T>(work: () => Promise<T>): Promise<T> => {
        if (silent) throw new LedgerLostError('the connection to the database does not answer');
        try {
          return await work();
        } catch (error) {
          silent ||= isSilence(error);
          throw asLost(error);
        }
      };
      const release = (broken: boolean): void => client.release(broken || silent);
      try {
        await watched(() => check(client));
        const execute = await watched(() => queryOn(client));
        const query: Connection['query'] = (text, values) =>
          watched(() => execute(text, [...values]));
        return { query, release };
      } catch (error) {
        client.release(true);
        throw error;
      }
    },
    end: () => pool.end(),
  };
}
