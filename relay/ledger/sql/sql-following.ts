/** Leases, query slots, changes and heartbeats: with these, several relays share one ledger. */
import { sql, type Kysely } from 'kysely';
import type { Ledger, LongestWaits, SeenChange } from '../ledger.js';
import type { OrderRow } from '../rows.js';
import type { Engine } from './engine.js';
import { inMonthOfOrder, inMonthsOf } from './order-places.js';
import { fromTable } from './order-table.js';
import { firstOf, ofEngine, ONE_PLAN, prepared } from './prepared.js';
import { readReach } from './sql-lists.js';
import type { Tables } from './tables.js';

/**
 * Rows that one call of `changes` returns. One step of `repairSchedules` repairs as many, and those
 * that have the same time as the last.
 */
const MAX_ROWS_PER_STEP = 1000;

type Following = Pick<
  Ledger,
  | 'leaseDueOrders'
  | 'claimQuerySlot'
  | 'changes'
  | 'heartbeat'
  | 'forgetInstance'
  | 'repairSchedules'
>;

type Beat = { instance: string; orders_settled: number; events_settled: number };

const addBeat = prepared((db, { events_settled, instance, orders_settled }: Beat) =>
  db
    .insertInto('heartbeats')
    .values({ instance, beat: 1, orders_settled, events_settled })
    .onConflict((conflict) =>
      conflict.column('instance').doUpdateSet(({ eb, ref }) => ({
        beat: eb(ref('heartbeats.beat'), '+', 1),
        orders_settled,
        events_settled,
      })),
    ),
);

const selectBeats = prepared((db, _: object) => db.selectFrom('heartbeats').selectAll());

// without the order PostgreSQL may read a whole partition, because it expects a due order soon
const selectOneDue = prepared((db, { now }: { now: number }) =>
  db
    .selectFrom('orders')
    .select('request_id')
    .where('next_check_at', '<=', now)
    .orderBy('next_check_at')
    .limit(1),
);

const followingStatements = ofEngine((engine) => ({
  takeQuerySlot: prepared(
    (db, { before, now, requestId }: { requestId: string; now: number; before: number }) =>
      db
        .updateTable('orders')
        .set({ asked_at: now })
        .where('request_id', '=', requestId)
        .$if(engine.hasMonths, (query) => query.where(inMonthOfOrder(requestId)))
        .where((is) =>
          is.or([
            is('asked_at', 'is', null),
            is('asked_at', '<=', before),
            // a time in the future: the clock stepped back after it was written
            is('asked_at', '>', now),
          ]),
        )
        .returningAll()
        .modifyEnd(sql.raw(ONE_PLAN)),
  ),
  lockDue: prepared((db, { limit, now }: { now: number; limit: number }) =>
    engine.skipLocked(
      db
        .selectFrom('orders')
        .selectAll()
        .where('next_check_at', '<=', now)
        .orderBy('next_check_at')
        .limit(limit),
    ),
  ),
}));

const selectChanges = prepared((db, { id, seq, settled }: ChangeCursor & { settled: number }) => ({
  compile: () =>
    sql<ChangeRow>`
      select changed_in as seq, request_id, intent_id, version,
        (select closed_at from intents where intents.intent_id = orders.intent_id) as closed_at
      from orders
      where changed_in >= ${seq} and changed_in <= ${settled}
        and (changed_in > ${seq} or request_id > ${id})
      order by changed_in, request_id
      limit ${sql.lit(MAX_ROWS_PER_STEP)}`.compile(db),
}));

type ChangeCursor = { seq: number; id: string };

type ChangeRow = SeenChange & { readonly seq: number };

/** @param relaxed for writes that a power cut may undo */
export const sqlFollowing = (
  read: Kysely<Tables>,
  relaxed: Kysely<Tables>,
  engine: Engine,
): Following => {
  const { lockDue, takeQuerySlot } = followingStatements(engine);
  return {
    leaseDueOrders: async (now, until, limit) => {
      // most calls find nothing, and a read without a transaction delays no writer
      const { rows: some } = await selectOneDue(read, { now });
      if (some.length === 0) return [];
      return relaxed.transaction().execute(async (transaction) => {
        const { rows: due } = await lockDue(transaction, { now, limit });
        const ids = due.map(({ request_id }) => request_id);
        if (ids.length > 0)
          await transaction
            .updateTable('orders')
            .set({ next_check_at: until })
            .where('request_id', 'in', ids)
            .$if(engine.hasMonths, (query) => query.where(inMonthsOf(due)))
            .execute();
        return due.map(fromTable);
      });
    },
    claimQuerySlot: async (requestId, now, minGapMs) => {
      const slot = { requestId, now, before: now - minGapMs };
      const row = firstOf(await takeQuerySlot(relaxed, slot));
      return row ? fromTable(row) : null;
    },
    changes: async (cursor) => {
      const { last, settled } = await readReach(read, engine, 'orders');
      const atEnd = writeCursor(settled + 1, '');
      if (cursor === null) return { cursor: atEnd, changed: [] };
      const after = readCursor(cursor);
      // a ledger restored from a backup may number its writes lower than the cursor
      if (after.seq > last + 1) return { cursor: atEnd, changed: [] };
      if (after.seq > settled) return { cursor, changed: [] };
      const { rows } = await selectChanges(read, { ...after, settled });
      const changed = rows.map(({ seq: _seq, ...change }) => change);
      const end = rows[MAX_ROWS_PER_STEP - 1];
      return { cursor: end ? writeCursor(end.seq, end.request_id) : atEnd, changed };
    },
    heartbeat: async (instance) => {
      const [orders, events] = await Promise.all([
        readReach(read, engine, 'orders'),
        readReach(read, engine, 'events'),
      ]);
      const settled = { orders_settled: orders.settled, events_settled: events.settled };
      await addBeat(relaxed, { instance, ...settled });
      const { rows } = await selectBeats(relaxed, {});
      return new Map(rows.map(({ beat, instance: name }) => [name, beat]));
    },
    forgetInstance: async (instance, beat) => {
      await relaxed
        .deleteFrom('heartbeats')
        .where('instance', '=', instance)
        .where('beat', '=', beat)
        .execute();
    },
    repairSchedules: async (now, { checkMs, claimMs, retryMs }, from) => {
      if (from === null) await repairEvents(relaxed, now, retryMs);
      const later = relaxed
        .selectFrom('orders')
        .where('next_check_at', '>', from ?? now)
        .orderBy('next_check_at');
      const end = await later
        .select('next_check_at')
        .limit(1)
        .offset(MAX_ROWS_PER_STEP - 1)
        .executeTakeFirst();
      // the next batch begins after this time, so all orders of this time belong to this batch
      const until = end?.next_check_at ?? null;
      const rows = await later
        .select(['request_id', 'sending', 'next_check_at', 'asked_at', 'created_at'])
        .$if(until !== null, (query) => query.where('next_check_at', '<=', until))
        .execute();
      const idsOf = (wrong: (row: (typeof rows)[number]) => boolean): string[] =>
        rows.filter(wrong).map(({ request_id }) => request_id);
      await reschedule(relaxed, now, idsOf(isFromTheFuture(now, checkMs)));
      const claimed = idsOf(({ sending }) => sending === 'claimed');
      await reschedule(relaxed, now + claimMs, claimed);
      return until;
    },
  };
};

type Scheduled = Pick<OrderRow, 'sending' | 'created_at' | 'next_check_at'> & {
  asked_at: number | null;
};

/**
 * Whether the order was last queried, created or leased at a time in the future, so that its next
 * check is wrong too. Only a check later than any schedule would set it reveals such a lease.
 */
const isFromTheFuture =
  (now: number, checkMs: LongestWaits['checkMs']) =>
  ({ asked_at, created_at, next_check_at, sending }: Scheduled): boolean =>
    sending !== 'claimed' &&
    ((asked_at ?? created_at) > now || (next_check_at ?? 0) > now + checkMs(created_at));

/** Moves the checks of these orders that are later than `at` to `at`. */
async function reschedule(db: Kysely<Tables>, at: number, ids: readonly string[]): Promise<void> {
  // a batch grows when many orders have the time of its end; a statement takes 32,766 values
  for (let from = 0; from < ids.length; from += MAX_ROWS_PER_STEP)
    await db
      .updateTable('orders')
      .set({ next_check_at: at })
      .where('request_id', 'in', ids.slice(from, from + MAX_ROWS_PER_STEP))
      .where('next_check_at', '>', at)
      .execute();
}

async function repairEvents(
  db: Kysely<Tables>,
  now: number,
  retryMs: readonly number[],
): Promise<void> {
  await db
    .updateTable('shop_events')
    .set({ next_try_at: now })
    .where('next_try_at', '>', now)
    .where('created_at', '>', now)
    .execute();
  for (const [tries, longest] of retryMs.entries())
    await db
      .updateTable('shop_events')
      .set({ next_try_at: now + longest })
      .where('next_try_at', '>', now + longest)
      .where('tries', '=', tries)
      .execute();
}

const writeCursor = (seq: number, id: string): string => `${seq} ${id}`;

/** A request_id contains no space. */
function readCursor(cursor: string): ChangeCursor {
  const [seq, id = ''] = cursor.split(' ');
  return { seq: Number(seq), id };
}
