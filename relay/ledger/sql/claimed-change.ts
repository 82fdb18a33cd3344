/**
 * Writes the answer to a claimed order, with its event, in one statement. PostgreSQL then has one
 * request to answer and not four.
 */
import { sql, type Kysely } from 'kysely';
import type { EventsFor } from '../ledger.js';
import type { IntentRow, OrderRow } from '../rows.js';
import type { Engine } from './engine.js';
import { changeOf, type OrderChange } from './order-table.js';
import { firstOf, ofEngine, prepared } from './prepared.js';
import { changesOf, columnsOf, valuesOf } from './row-parts.js';
import { toEventTable, type EventToInsert } from './sql-events.js';
import type { Tables } from './tables.js';

export type ClaimedChanges = {
  /** Keeps the ledger's epoch, as a transaction read it. A restored ledger gets another one. */
  learn(epoch: string): void;
  /**
   * Writes the order, its event and the number of events of its intent.
   *
   * @param intent as it was when the order was claimed
   * @returns false when nothing was written, and a transaction must write the order: no epoch is
   *   known yet, the order, the intent or the epoch has changed since, the change is a payment, or
   *   it does not have exactly one event
   */
  write(order: OrderRow, eventsFor: EventsFor, intent: IntentRow): Promise<boolean>;
};

export function createClaimedChanges(db: Kysely<Tables>, engine: Engine): ClaimedChanges {
  let epoch: string | null = null;
  return {
    learn: (read) => void (epoch = read),
    write: async (order, eventsFor, intent) => {
      if (epoch === null || order.outcome === 'succeeded') return false;
      const { closed_at, created_at, event_count, intent_id } = intent;
      const [event, ...more] = eventsFor(intent, { epoch, sequence: event_count + 1 });
      if (!event || more.length > 0) return false;
      const value = {
        row: changeOf(order),
        event: toEventTable(event),
        requestId: order.request_id,
        before: order.version - 1,
        intentId: intent_id,
        createdAt: created_at,
        events: event_count,
        closedAt: closed_at,
        epoch,
      };
      try {
        return firstOf(await changeClaimed(engine)(db, value))?.is_written ?? false;
      } catch (error) {
        if (isDivisionByZero(error)) return false;
        throw error;
      }
    },
  };
}

type Change = {
  row: OrderChange;
  event: EventToInsert;
  requestId: string;
  before: number;
  intentId: string;
  createdAt: number;
  events: number;
  closedAt: number | null;
  epoch: string;
};

/** PostgreSQL's code, from its manual, appendix A. */
const isDivisionByZero = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '22012';

/**
 * The order is written before its intent, as in all transactions of an order, so that two cannot
 * deadlock. If the intent changes between the two writes, the division by zero undoes the whole
 * statement. Because the intent is checked before too, this error is rare in the database's log.
 */
const changeClaimed = ofEngine((engine) =>
  prepared((db, value: Change) => {
    const { before, closedAt, createdAt, epoch, event, events, intentId, requestId, row } = value;
    const asClaimed = sql`intent_id = ${intentId} and event_count = ${events}
      and current_request_id = ${requestId} and paid_request_id is null
      and closed_at is not distinct from ${closedAt}::bigint`;
    return {
      compile: () =>
        sql<{ is_written: boolean }>`
          with written as (
            update orders set ${changesOf(row)}, changed_in = ${engine.nextSequence}
            where request_id = ${requestId} and version = ${before}
              and intent_created_at = ${createdAt}
              and exists (select 1 from intents where ${asClaimed})
              and exists (select 1 from settings where name = 'epoch' and value = ${epoch})
            returning 1
          ), counted as (
            update intents set event_count = event_count + 1
            where ${asClaimed} and exists (select 1 from written)
            returning created_at
          ), noted as (
            insert into shop_events (${columnsOf(event)}, written_in, intent_created_at)
            select ${valuesOf(event)}, ${engine.eventTransaction}, created_at from counted
          )
          select case when exists (select 1 from written)
            then 1 / (select count(*) from counted) = 1 else false end as is_written`.compile(db),
    };
  }),
);
