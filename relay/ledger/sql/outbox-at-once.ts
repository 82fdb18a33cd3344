/** Statements of the outbox for PostgreSQL, each of which saves several requests. */
import { sql, type Selectable } from 'kysely';
import { ONE_PLAN, prepared } from './prepared.js';
import type { ShopEventTable } from './tables.js';

export type Lease = { now: number; until: number; limit: number };
export type DeliveredIds = { ids: readonly string[]; leasedUntil: number | null; at: number };

/** Due events: those that were never tried, or the others. */
const dueEvents = (isRepeated: boolean, now: number) => sql`
  select seq, intent_created_at from shop_events
  where (next_try_at > created_at) = ${sql.lit(isRepeated)} and next_try_at <= ${now}
  order by next_try_at`;

/**
 * Locks and leases due events in one request. The arrays keep PostgreSQL from reading all events,
 * as it might for a join, and from locking more events than it leases, as it might for a subquery.
 */
export const leaseAtOnce = prepared((db, { limit, now, until }: Lease) => ({
  compile: () =>
    sql<Selectable<ShopEventTable>>`
      with fresh as materialized (
        ${dueEvents(false, now)} limit ${limit} for update skip locked
      ), repeated as materialized (
        ${dueEvents(true, now)} limit ${limit} - (select count(*) from fresh)
        for update skip locked
      ), due as materialized (select * from fresh union all select * from repeated)
      update shop_events set next_try_at = ${until}
      where seq = any(array(select seq from due))
        and intent_created_at = any(array(select intent_created_at from due))
      returning shop_events.* ${sql.raw(ONE_PLAN)}`.compile(db),
}));

/** `ids` is a JSON list, so that the statement is the same for any number of events. */
export const setDeliveredAtOnce = prepared(
  (db, value: Omit<DeliveredIds, 'ids'> & { ids: string }) =>
    db
      .updateTable('shop_events')
      .set({ next_try_at: null, delivered_at: value.at })
      .where(
        sql<boolean>`event_id = any(array(select json_array_elements_text(${value.ids}::json)))`,
      )
      .where('next_try_at', '=', value.leasedUntil),
);
