/** Reads a setting that every ledger has. */
import type { Kysely } from 'kysely';
import type { Tables } from './tables.js';

/** @throws when the ledger has no such setting */
export async function settingRow(db: Kysely<Tables>, name: string): Promise<string> {
  const { value } = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return value;
}
