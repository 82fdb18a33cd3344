/** Checks whether a ledger can be opened, without creating or changing it. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import type { Secret } from '../config/secrets.js';
import { NOT_OURS } from '../ledger/ledger-errors.js';
import { RELATIONS } from '../ledger/postgres/postgres-ledger.js';
import { asBusy } from '../ledger/sqlite/busy.js';
import { asNotOurs } from '../ledger/sqlite/sqlite-ledger.js';
import { codeOf, messageOf } from './message-of.js';
import { CHANNEL } from './postgres-hints.js';
import { wrongSetting } from './required-settings.js';
import { refuseBrokenFile, sqliteFileOf, whyOnlyLog } from './sqlite-file.js';
import { whyUnwritable } from './why-unwritable.js';

const TRY_WITHIN_MS = 5000;

type Settings = ReadonlyMap<string, string>;

/**
 * @param whyRefused why a relay would not start with a ledger that has these settings
 * @returns why it cannot be used, without its address; null when it can
 */
export async function whyLedgerUnusable(
  ledger: Secret,
  whyRefused: (settings: Settings) => Promise<string | null> = async () => null,
): Promise<string | null> {
  const name = ledger.reveal();
  if (name === 'memory:') return 'orders are lost when the relay stops; write "sqlite:FILE"';
  const file = sqliteFileOf(name);
  if (file !== null) return whyUnwritable(file) ?? whyRefusedFile(file, whyRefused);
  return whyNotIn(name, async (client) => {
    const wrong = await wrongSetting(client);
    if (wrong) return `the relay would not start: ${wrong}`;
    const missing = await missingRight(client);
    if (missing) return missing;
    const { rows: tables } = await client.query("select to_regclass('settings') as settings");
    if ((tables as { settings: string | null }[])[0]?.settings === null) return null;
    const { rows } = await client.query('select name, value from settings');
    return whyRefused(asSettings(rows));
  });
}

/** @returns why relays cannot tell each other of changes there; null when they can */
export const whyNoHints = (hints: Secret): Promise<string | null> =>
  whyNotIn(hints.reveal(), async (client) => {
    await client.query(`listen ${CHANNEL}`);
    return null;
  });

/** @returns what `find` returns, or why the database cannot be reached, without its address */
async function whyNotIn(
  connectionString: string,
  find: (client: pg.Client) => Promise<string | null>,
): Promise<string | null> {
  try {
    const client = new pg.Client({
      connectionString,
      connectionTimeoutMillis: TRY_WITHIN_MS,
      query_timeout: TRY_WITHIN_MS,
    });
    // an error after the connection was lost would end the process
    client.on('error', () => {});
    try {
      await client.connect();
      return await find(client);
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    // a message of the driver may quote the address; its code does not
    const code = codeOf(error, 'no answer');
    if (!(error instanceof pg.DatabaseError)) return `the database cannot be reached: ${code}`;
    return MEANINGS[code] ?? `the database answers with the error ${code}`;
  }
}

/** What some codes of PostgreSQL mean (its manual, appendix A). */
const MEANINGS: Readonly<Record<string, string>> = {
  // a column does not exist
  '42703': NOT_OURS,
  '28000': 'the database refuses this user (28000)',
  '28P01': 'the database refuses the password (28P01)',
  '3D000': 'the server has no database of this name (3D000)',
  '57P03': 'the database is starting or stopping (57P03); try again',
};

const asSettings = (rows: unknown): Settings =>
  new Map((rows as { name: string; value: string }[]).map(({ name, value }) => [name, value]));

async function whyRefusedFile(
  file: string,
  whyRefused: (settings: Settings) => Promise<string | null>,
): Promise<string | null> {
  // a new ledger belongs to nobody, and opening it would create it
  if (!existsSync(file)) return whyOnlyLog(file);
  const broken = await whyBrokenFile(file);
  if (broken !== null) return broken;
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const tables = database.prepare("select name from sqlite_master where name = 'settings'");
      if (tables.all().length === 0) return null;
      return await whyRefused(
        asSettings(database.prepare('select name, value from settings').all()),
      );
    } finally {
      database.close();
    }
  } catch (error) {
    const known = asNotOurs(asBusy(error));
    return known === error ? `the file cannot be read: ${messageOf(error)}` : sentenceOf(known);
  }
}

/** Why `start` refuses the file before it opens it; SQLite's own message does not say the cause. */
async function whyBrokenFile(file: string): Promise<string | null> {
  try {
    await refuseBrokenFile(file);
    return null;
  } catch (error) {
    return sentenceOf(error);
  }
}

const sentenceOf = (error: unknown): string => messageOf(error).replace(/^ledger: /, '');

type Rights = {
  readonly is_read_only: boolean;
  readonly has_ledger: boolean;
  readonly role: string;
  /** Where tables are made; null when the role finds no schema. */
  readonly schema: string | null;
  readonly may_create: boolean | null;
};
const RIGHTS = `
  select current_setting('transaction_read_only') = 'on' as is_read_only,
    to_regclass('settings') is not null as has_ledger,
    quote_ident(current_user) as role, quote_ident(current_schema()) as schema,
    has_schema_privilege(current_schema(), 'create') as may_create`;

/** The tables or the sequences, whichever come first, that the role cannot use as a relay does. */
const MISSING = `
  select case relkind when 'S' then 'sequence' else 'table' end as kind,
    string_agg(relname, ', ' order by relname) as names
  from pg_class
  where relname = any($1)
    and relnamespace = (select relnamespace from pg_class where oid = to_regclass('settings'))
    and not case relkind
      when 'S' then has_sequence_privilege(oid, 'select') and has_sequence_privilege(oid, 'usage')
        and has_sequence_privilege(oid, 'update')
      else has_table_privilege(oid, 'select') and has_table_privilege(oid, 'insert')
        and has_table_privilege(oid, 'update') and has_table_privilege(oid, 'delete') end
  group by kind order by kind limit 1`;

/**
 * Whether a role may do what a relay does with its ledger.
 *
 * @returns what is missing, with the statement that mends it where there is one; null: nothing
 */
async function missingRight(client: pg.Client): Promise<string | null> {
  const [rights] = (await client.query<Rights>(RIGHTS)).rows;
  if (!rights) return null;
  const { has_ledger, is_read_only, may_create, role, schema } = rights;
  if (is_read_only)
    return 'the database takes no writes: it is a standby, or default_transaction_read_only is on';
  if (!has_ledger) {
    if (may_create) return null;
    const mend =
      schema === null
        ? `create schema authorization ${role}`
        : `grant create on schema ${schema} to ${role}`;
    return `the role ${role} may not make tables; run: ${mend}`;
  }
  const [missing] = (await client.query<{ kind: string; names: string }>(MISSING, [RELATIONS]))
    .rows;
  if (!missing) return null;
  const { kind, names } = missing;
  const mend = `grant all on ${kind} ${names} to ${role}`;
  return `the role ${role} may not change the ${kind}s; run: ${mend}`;
}
