/** The part of PostgreSQL's write-ahead log that a power cut leaves. */
import { readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

/** A file of the log, and how many of its bytes are synced. */
export type SyncedLog = { file: string; bytes: number };

export async function syncedLog(client: pg.Client): Promise<SyncedLog> {
  const { rows } = await client.query<SyncedLog>(
    // one byte later: exactly at the end of a file, PostgreSQL would name that file
    'select pg_walfile_name(until + 1) as file, ' +
      "mod(until - '0/0'::pg_lsn, setting::bigint)::int as bytes " +
      'from pg_current_wal_flush_lsn() as until, pg_settings ' +
      "where name = 'wal_segment_size'",
  );
  const [log] = rows;
  if (!log) throw new Error('PostgreSQL did not say what is synced');
  return log;
}

/**
 * Removes what was written to the log after `bytes` of `file`. PostgreSQL writes a change into a
 * table only when the log of that change is synced, so the tables need no cut.
 */
export function cutLog(data: string, { bytes, file }: SyncedLog): void {
  const folder = join(data, 'pg_wal');
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (/^[0-9A-F]{24}$/.test(name) && name > file) rmSync(path);
    if (name !== file) continue;
    const { size } = statSync(path);
    truncateSync(path, bytes);
    // zeros up to its old size, which PostgreSQL checks
    truncateSync(path, size);
  }
}
