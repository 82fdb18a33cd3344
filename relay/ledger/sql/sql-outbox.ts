/** The outbox: the events for the shop. A relay leases each event before it delivers it. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { LeasedEvent, Ledger } from '../ledger.js';
import { askedAt, type Asked } from '../shop-ledger.js';
import type { Engine } from './engine.js';
import { createBatch } from './batch.js';
import {
  leaseAtOnce,
  setDeliveredAtOnce,
  type DeliveredIds,
  type Lease,
} from './outbox-at-once.js';
import { prepared } from './prepared.js';
import { eventFromTable } from './sql-events.js';
import type { ShopEventTable, Tables } from './tables.js';

type Outbox = Pick<
  Ledger,
  'leaseDueEvents' | 'recordDelivery' | 'outbox' | 'resendEvent' | 'resendEvents'
>;

/** 1 for an event that was leased, tried or resent, and 0 for a fresh one; only for SQLite. */
const isRepeated = sql<number>`(next_try_at > created_at)`;

const selectOneDue = prepared((db, { now }: { now: number }) =>
  db
    .selectFrom('shop_events')
    .select('seq')
    .where(isRepeated, 'in', [sql.lit(0), sql.lit(1)])
    .where('next_try_at', '<=', now)
    .limit(1),
);

const selectDue = ([0, 1] as const).map((repeated) =>
  prepared((db, { limit, now }: { now: number; limit: number }) =>
    db
      .selectFrom('shop_events')
      .select('seq')
      .where(isRepeated, '=', sql.lit(repeated))
      .where('next_try_at', '<=', now)
      .orderBy('next_try_at')
      .limit(limit),
  ),
);

/** Leases due events where nobody else writes during the transaction. */
async function leaseAlone(
  { read, relaxed }: OutboxDatabases,
  { limit, now, until }: Lease,
): Promise<Selectable<ShopEventTable>[]> {
  // most calls find nothing, and a read without a transaction delays no writer
  const { rows: some } = await selectOneDue(read, { now });
  if (some.length === 0) return [];
  return relaxed.transaction().execute(async (transaction) => {
    const due: { seq: number }[] = [];
    for (const select of selectDue)
      due.push(...(await select(transaction, { now, limit: limit - due.length })).rows);
    if (due.length === 0) return [];
    return transaction
      .updateTable('shop_events')
      .set({ next_try_at: until })
      .where(
        'seq',
        'in',
        due.map(({ seq }) => seq),
      )
      .returningAll()
      .execute();
  });
}

type Delivered = LeasedEvent & { at: number };

/** How long a delivered event waits for others before it is recorded. */
const COLLECT_DELIVERED_MS = 10;

/** @returns how many events still had their lease */
async function setDeliveredOf(
  db: Kysely<Tables>,
  { hasMonths }: Engine,
  { at, ids, leasedUntil }: DeliveredIds,
): Promise<number> {
  if (hasMonths) {
    const value = { ids: JSON.stringify(ids), leasedUntil, at };
    return Number((await setDeliveredAtOnce(db, value)).numAffectedRows);
  }
  const { numUpdatedRows } = await db
    .updateTable('shop_events')
    .set({ next_try_at: null, delivered_at: at })
    .where('event_id', 'in', ids)
    .where('next_try_at', '=', leasedUntil)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/**
 * Events that were delivered together get the time of the last one. While an event is leased, its
 * `next_try_at` is the end of the lease; another value means that somebody changed it since.
 */
const setDelivered = async (
  db: Kysely<Tables>,
  engine: Engine,
  delivered: readonly Delivered[],
): Promise<void> => {
  const delivered_at = Math.max(...delivered.map(({ at }) => at));
  for (const leasedUntil of new Set(delivered.map(({ next_try_at }) => next_try_at))) {
    const events = delivered.filter(({ next_try_at }) => next_try_at === leasedUntil);
    const ids = events.map(({ event_id }) => event_id);
    const written = await setDeliveredOf(db, engine, { ids, leasedUntil, at: delivered_at });
    if (written === ids.length) continue;
    // Some events were made due or leased again during the delivery. They keep their next try, and
    // only the time of the delivery is written. The other events have no next try by now.
    await db
      .updateTable('shop_events')
      .set({ delivered_at })
      .where('event_id', 'in', ids)
      .where('next_try_at', 'is not', null)
      .execute();
  }
};

type FailedTry = {
  eventId: string;
  leasedUntil: number | null;
  nextTryAt: number | null;
  triesAfter: number;
};

const setFailed = prepared((db, { eventId, leasedUntil, nextTryAt, triesAfter }: FailedTry) =>
  db
    .updateTable('shop_events')
    .set({ next_try_at: nextTryAt, tries: triesAfter })
    .where('event_id', '=', eventId)
    .where('next_try_at', '=', leasedUntil),
);

/** Makes events due, unless they are fresh, or were delivered or leased since the request. */
async function makeDue(
  db: Kysely<Tables>,
  seqs: readonly number[],
  now: number,
  { at, leaseEnd }: Asked = askedAt(now),
): Promise<void> {
  const isExpected = sql<boolean>`(tries = 0 and next_try_at is not null
    and ((next_try_at <= created_at and next_try_at <= ${now}) or next_try_at > ${leaseEnd}))`;
  const isDelivered = sql<boolean>`(delivered_at is not null
    and delivered_at > ${at} and delivered_at <= ${now})`;
  await db
    .updateTable('shop_events')
    .set({ next_try_at: now, tries: 0 })
    .where('seq', 'in', seqs)
    .where(sql<boolean>`not ${isExpected}`)
    .where(sql<boolean>`not ${isDelivered}`)
    .execute();
}

export type OutboxDatabases = {
  /** For writes that must survive a power cut. */
  db: Kysely<Tables>;
  read: Kysely<Tables>;
  /**
   * For leases and the results of tries. A power cut may lose them, and then an event is delivered
   * again, as it is after a kill.
   */
  relaxed: Kysely<Tables>;
};

export function sqlOutbox({ db, read, relaxed }: OutboxDatabases, engine: Engine): Outbox {
  const recordDelivered = createBatch(
    (delivered: readonly Delivered[]) => setDelivered(relaxed, engine, delivered),
    COLLECT_DELIVERED_MS,
  );
  return {
    leaseDueEvents: async (now, until, limit) => {
      const lease = { now, until, limit };
      const leased = engine.hasMonths
        ? (await leaseAtOnce(relaxed, lease)).rows
        : await leaseAlone({ db, read, relaxed }, lease);
      // the longest due are leased, and returned in the order in which they were written
      return leased.sort((a, b) => a.seq - b.seq).map(eventFromTable);
    },
    recordDelivery: async (event, outcome) => {
      if ('deliveredAt' in outcome) await recordDelivered({ at: outcome.deliveredAt, ...event });
      else {
        const { event_id: eventId, next_try_at: leasedUntil, tries } = event;
        const { nextTryAt } = outcome;
        await setFailed(relaxed, { eventId, leasedUntil, nextTryAt, triesAfter: tries + 1 });
      }
    },
    resendEvent: async (eventId, now, asked) => {
      const event = await read
        .selectFrom('shop_events')
        .select('seq')
        .where('event_id', '=', eventId)
        .executeTakeFirst();
      if (event) await makeDue(db, [event.seq], now, asked);
      return event !== undefined;
    },
    resendEvents: async (since, now, after, limit, asked) => {
      // the `created_at` and `seq` after which the list goes on; -1 comes before every seq
      const from = after ?? { number: since, id: '-1' };
      const rows = await read
        .selectFrom('shop_events')
        .select(['seq', 'created_at'])
        .where(sql<boolean>`(created_at, seq) > (${from.number}, ${Number(from.id)})`)
        .orderBy('created_at')
        .orderBy('seq')
        .limit(limit)
        .execute();
      const last = rows.at(-1);
      if (!last) return { resent: 0, last: null };
      const seqs = rows.map(({ seq }) => seq);
      await makeDue(db, seqs, now, asked);
      const position = { number: last.created_at, id: String(last.seq) };
      return { resent: rows.length, last: rows.length < limit ? null : position };
    },
    outbox: async () => {
      const { waiting, oldest } = await read
        .selectFrom('shop_events')
        .select(({ fn }) => [
          fn.countAll<number>().as('waiting'),
          fn.min<number | null>('created_at').as('oldest'),
        ])
        .where('next_try_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return { waiting: Number(waiting), oldest };
    },
  };
}
