/** Reads settings. */
import type { Kysely } from 'kysely';
import { firstOf, prepared } from './prepared.js';
import type { Tables } from './tables.js';

const select = prepared((db, { name }: { name: string }) =>
  db.selectFrom('settings').select('value').where('name', '=', name),
);

export const findSetting = async (db: Kysely<Tables>, name: string): Promise<string | null> =>
  firstOf(await select(db, { name }))?.value ?? null;

/** @throws when the ledger has no such setting */
export async function settingRow(db: Kysely<Tables>, name: string): Promise<string> {
  const value = await findSetting(db, name);
  if (value === null) throw new Error(`the ledger has no setting ${name}`);
  return value;
}
