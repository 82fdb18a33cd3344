/** Writes events for the shop, in the transaction of the change that they report. */
import type { Transaction } from 'kysely';
import type { EventsFor } from '../ledger.js';
import type { IntentRow } from '../rows.js';
import type { Engine } from './engine.js';
import { settingRow } from './setting-table.js';
import type { Tables } from './tables.js';

/** @param intent as locked in the transaction, so that its events are numbered without a gap */
export async function writeEvents(
  transaction: Transaction<Tables>,
  intent: IntentRow,
  engine: Engine,
  eventsFor: EventsFor,
): Promise<void> {
  const epoch = await settingRow(transaction, 'epoch');
  const events = eventsFor(intent, { sequence: intent.event_count + 1, epoch });
  if (events.length === 0) return;
  await transaction
    .insertInto('shop_events')
    .values(
      events.map((event) => ({
        ...event,
        tries: 0,
        delivered_at: null,
        written_in: engine.eventTransaction,
      })),
    )
    .execute();
  await transaction
    .updateTable('intents')
    .set({ event_count: intent.event_count + events.length })
    .where('intent_id', '=', intent.intent_id)
    .execute();
}
