/**
 * Writes a change of an order, with its event, in one statement. PostgreSQL then has one request to
 * answer and not four, and no row stays locked between two requests.
 */
import { sql, type Kysely } from 'kysely';
import type { EventsFor } from '../ledger.js';
import type { IntentRow, OrderRow } from '../rows.js';
import type { Engine } from './engine.js';
import { findIntent } from './intent-table.js';
import { changeOf, type OrderChange } from './order-table.js';
import { firstOf, ofEngine, prepared } from './prepared.js';
import { changesOf, columnsOf, valuesOf } from './row-parts.js';
import { toEventTable, type EventToInsert } from './sql-events.js';
import type { Tables } from './tables.js';

export type EventChanges = {
  /** Keeps the ledger's epoch, as a transaction read it. A restored ledger gets another one. */
  learn(epoch: string): void;
  /**
   * Writes the order, its event, the number of events of its intent, and the intent's payment.
   *
   * @param known the intent as it was before the change; it is read when the caller has not read it
   * @returns false when nothing was written, and a transaction must write the order: no epoch is
   *   known yet, the order, the intent or the epoch has changed since, the order is not the current
   *   one, the intent is paid, or the change does not have exactly one event
   */
  write(order: OrderRow, eventsFor: EventsFor, known?: IntentRow | null): Promise<boolean>;
};

export function createEventChanges(db: Kysely<Tables>, engine: Engine): EventChanges {
  let epoch: string | null = null;
  return {
    learn: (read) => void (epoch = read),
    write: async (order, eventsFor, known) => {
      if (epoch === null) return false;
      const intent = known ?? (await findIntent(db, order.intent_id));
      if (intent?.current_request_id !== order.request_id) return false;
      if (intent.paid_request_id !== null) return false;
      const { closed_at, created_at, event_count, intent_id } = intent;
      const paidBy = order.outcome === 'succeeded' ? order.request_id : null;
      const after: IntentRow = { ...intent, paid_request_id: paidBy };
      const [event, ...more] = eventsFor(after, { epoch, sequence: event_count + 1 });
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
        paidBy,
        epoch,
      };
      try {
        return firstOf(await changeWithEvent(engine)(db, value))?.is_written ?? false;
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
  paidBy: string | null;
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
const changeWithEvent = ofEngine((engine) =>
  prepared((db, value: Change) => {
    const { before, closedAt, createdAt, epoch, event, events, intentId, paidBy } = value;
    const { requestId, row } = value;
    const asBefore = sql`intent_id = ${intentId} and event_count = ${events}
      and current_request_id = ${requestId} and paid_request_id is null
      and closed_at is not distinct from ${closedAt}::bigint`;
    return {
      compile: () =>
        sql<{ is_written: boolean }>`
          with written as (
            update orders set ${changesOf(row)}, changed_in = ${engine.nextOrder}
            where request_id = ${requestId} and version = ${before}
              and intent_created_at = ${createdAt}
              and exists (select 1 from intents where ${asBefore})
              and exists (select 1 from settings where name = 'epoch' and value = ${epoch})
            returning 1
          ), counted as (
            update intents set event_count = event_count + 1, paid_request_id = ${paidBy}
            where ${asBefore} and exists (select 1 from written)
            returning created_at
          ), noted as (
            insert into shop_events (${columnsOf(event)}, seq, intent_created_at)
            select ${valuesOf(event)}, ${engine.nextEvent}, created_at from counted
          )
          select case when exists (select 1 from written)
            then 1 / (select count(*) from counted) = 1 else false end as is_written`.compile(db),
    };
  }),
);
