/** Reads intents. */
import type { Kysely } from 'kysely';
import type { IntentRow } from '../rows.js';
import { firstOf, prepared } from './prepared.js';
import type { Tables } from './tables.js';

const select = prepared((db, { intentId }: { intentId: string }) =>
  db.selectFrom('intents').selectAll().where('intent_id', '=', intentId),
);

export const findIntent = async (db: Kysely<Tables>, intentId: string): Promise<IntentRow | null> =>
  firstOf(await select(db, { intentId })) ?? null;

/** @throws when the ledger has no such intent */
export async function intentRow(db: Kysely<Tables>, intentId: string): Promise<IntentRow> {
  const found = await findIntent(db, intentId);
  if (!found) throw new Error(`the ledger has no intent ${intentId}`);
  return found;
}
