/** Reads intents. */
import type { Kysely } from 'kysely';
import type { IntentRow } from '../rows.js';
import type { Tables } from './tables.js';

/** @throws when the ledger has no such intent */
export const intentRow = (db: Kysely<Tables>, intentId: string): Promise<IntentRow> =>
  db.selectFrom('intents').selectAll().where('intent_id', '=', intentId).executeTakeFirstOrThrow();
