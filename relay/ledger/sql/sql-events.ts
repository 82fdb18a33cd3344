/** Writes events for the shop, in the transaction of the change that they report. */
import type { Transaction } from 'kysely';
import type { EventsFor } from '../ledger.js';
import type { IntentRow, NewShopEvent, ShopEventRow } from '../rows.js';
import type { Engine } from './engine.js';
import { ofEngine, prepared } from './prepared.js';
import type { Tables } from './tables.js';

/** @param intent as locked in the transaction, so that its events are numbered without a gap */
export async function writeEvents(
  transaction: Transaction<Tables>,
  { epoch, intent }: { intent: IntentRow; epoch: string },
  engine: Engine,
  eventsFor: EventsFor,
): Promise<void> {
  const events = eventsFor(intent, { sequence: intent.event_count + 1, epoch });
  if (events.length === 0) return;
  for (const event of events)
    await insertEvent(engine)(transaction, { event: { tries: 0, delivered_at: null, ...event } });
  const event_count = intent.event_count + events.length;
  await setEventCount(transaction, { event_count, intent_id: intent.intent_id });
}

type EventToInsert = NewShopEvent & Pick<ShopEventRow, 'tries' | 'delivered_at'>;

const insertEvent = ofEngine(({ eventTransaction }) =>
  prepared((db, { event }: { event: EventToInsert }) =>
    db.insertInto('shop_events').values({ ...event, written_in: eventTransaction }),
  ),
);

const setEventCount = prepared((db, value: { event_count: number; intent_id: string }) =>
  db
    .updateTable('intents')
    .set({ event_count: value.event_count })
    .where('intent_id', '=', value.intent_id),
);
