/** Writes events for the shop, in the transaction of the change that they report. */
import { sql, type Selectable, type Transaction } from 'kysely';
import type { EventsFor } from '../ledger.js';
import type { IntentRow, NewShopEvent, ShopEventRow } from '../rows.js';
import type { Engine } from './engine.js';
import { createdAtOf } from './order-places.js';
import { ofEngine, prepared } from './prepared.js';
import type { ShopEventTable, Tables } from './tables.js';

/** @param intent as locked in the transaction, so that its events are numbered without a gap */
export async function writeEvents(
  transaction: Transaction<Tables>,
  { epoch, intent }: { intent: IntentRow; epoch: string },
  engine: Engine,
  eventsFor: EventsFor,
): Promise<void> {
  const events = eventsFor(intent, { sequence: intent.event_count + 1, epoch });
  if (events.length === 0) return;
  await insertEvents(transaction, engine, events);
  const event_count = intent.event_count + events.length;
  await setEventCount(transaction, { event_count, intent_id: intent.intent_id });
}

/**
 * Counts one more event of the intent, and reads the intent and the ledger's epoch, which every
 * event contains. The row stays locked until the commit, so that events are numbered in the order
 * of their commits.
 */
export const countOneEvent = prepared((db, { intentId }: { intentId: string }) =>
  db
    .updateTable('intents')
    .set((set) => ({ event_count: set('event_count', '+', 1) }))
    .where('intent_id', '=', intentId)
    .returningAll()
    .returning(sql<string>`(select value from settings where name = 'epoch')`.as('epoch')),
);

/** An intent of which one more event is counted already. */
export type CountedIntent = IntentRow & { epoch: string };

/** Writes the events of a change. Almost every change has one, so one is counted in advance. */
export async function writeCountedEvents(
  transaction: Transaction<Tables>,
  { epoch, ...row }: CountedIntent,
  engine: Engine,
  eventsFor: EventsFor,
): Promise<void> {
  const intent = { ...row, event_count: row.event_count - 1 };
  const events = eventsFor(intent, { sequence: row.event_count, epoch });
  await insertEvents(transaction, engine, events);
  if (events.length === 1) return;
  const event_count = intent.event_count + events.length;
  await setEventCount(transaction, { event_count, intent_id: intent.intent_id });
}

export type EventToInsert = NewShopEvent & Pick<ShopEventRow, 'tries' | 'delivered_at'>;

export const toEventTable = (event: NewShopEvent): EventToInsert => ({
  tries: 0,
  delivered_at: null,
  ...event,
});

async function insertEvents(
  transaction: Transaction<Tables>,
  engine: Engine,
  events: readonly NewShopEvent[],
): Promise<void> {
  for (const event of events)
    await insertEvent(engine)(transaction, { event: toEventTable(event) });
}

const insertEvent = ofEngine(({ hasMonths, nextEvent }) =>
  prepared((db, { event }: { event: EventToInsert }) =>
    db.insertInto('shop_events').values({
      ...event,
      ...(nextEvent && { seq: nextEvent }),
      ...(hasMonths && { intent_created_at: createdAtOf(event.intent_id) }),
    }),
  ),
);

/** The event without the columns that only the ledger uses. */
export const eventFromTable = ({
  intent_created_at: _intentCreatedAt,
  ...event
}: Selectable<ShopEventTable>): ShopEventRow => event;

const setEventCount = prepared((db, value: { event_count: number; intent_id: string }) =>
  db
    .updateTable('intents')
    .set({ event_count: value.event_count })
    .where('intent_id', '=', value.intent_id),
);
