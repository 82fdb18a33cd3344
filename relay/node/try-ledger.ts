/** Checks whether a ledger can be opened, without creating or changing it. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import pg from 'pg';
import type { Secret } from '../config/secrets.js';
import { wrongSetting } from './required-settings.js';

const TRY_WITHIN_MS = 5000;

/** @returns why it cannot be used, without its address; null when it can */
export async function whyLedgerUnusable(ledger: Secret): Promise<string | null> {
  const name = ledger.reveal();
  if (name === 'memory:') return 'orders are lost when the relay stops; write "sqlite:FILE"';
  if (name.startsWith('sqlite:')) return whyUnwritable(resolve(name.slice('sqlite:'.length)));
  const client = new pg.Client({
    connectionString: name,
    connectionTimeoutMillis: TRY_WITHIN_MS,
    query_timeout: TRY_WITHIN_MS,
  });
  // an error after the connection was lost would end the process
  client.on('error', () => {});
  try {
    await client.connect();
    const wrong = await wrongSetting(client);
    return wrong && `the relay would not start: ${wrong}`;
  } catch (error) {
    return `the database cannot be reached: ${codeOf(error)}`;
  } finally {
    await client.end().catch(() => {});
  }
}

async function whyUnwritable(file: string): Promise<string | null> {
  const canWrite = (path: string): Promise<boolean> =>
    access(path, constants.R_OK | constants.W_OK).then(
      () => true,
      () => false,
    );
  // SQLite writes more files beside the ledger
  if (!(await canWrite(dirname(file)))) return `the folder ${dirname(file)} cannot be written`;
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  return isThere && !(await canWrite(file)) ? `${file} cannot be written` : null;
}

/** A message of the driver may quote the address; its code does not. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
