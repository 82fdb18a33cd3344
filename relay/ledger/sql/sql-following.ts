/** Leases, query slots, changes and heartbeats: with these, several relays share one ledger. */
import { sql, type Kysely } from 'kysely';
import type { Ledger, SeenChange } from '../ledger.js';
import type { OrderRow } from '../rows.js';
import type { Engine } from './engine.js';
import { fromTable } from './order-table.js';
import { firstOf, prepared } from './prepared.js';
import type { Tables } from './tables.js';

/** Rows that one call of `changes` returns, and that one step of `repairSchedules` repairs. */
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

const takeQuerySlot = prepared(
  (db, { before, now, requestId }: { requestId: string; now: number; before: number }) =>
    db
      .updateTable('orders')
      .set({ asked_at: now })
      .where('request_id', '=', requestId)
      .where((is) =>
        is.or([
          is('asked_at', 'is', null),
          is('asked_at', '<=', before),
          // a time in the future: the clock stepped back after it was written
          is('asked_at', '>', now),
        ]),
      )
      .returning('checked_at'),
);

const addBeat = prepared((db, { instance }: { instance: string }) =>
  db
    .insertInto('heartbeats')
    .values({ instance, beat: 1 })
    .onConflict((conflict) =>
      conflict.column('instance').doUpdateSet(({ eb, ref }) => ({
        beat: eb(ref('heartbeats.beat'), '+', 1),
      })),
    ),
);

const selectBeats = prepared((db, _: object) => db.selectFrom('heartbeats').selectAll());

/** @param relaxed for writes that a power cut may undo */
export const sqlFollowing = (
  read: Kysely<Tables>,
  relaxed: Kysely<Tables>,
  engine: Engine,
): Following => ({
  leaseDueOrders: (now, until, limit) =>
    relaxed.transaction().execute(async (transaction) => {
      const due = await engine
        .skipLocked(
          transaction
            .selectFrom('orders')
            .selectAll()
            .where('next_check_at', '<=', now)
            .orderBy('next_check_at')
            .limit(limit),
        )
        .execute();
      const ids = due.map(({ request_id }) => request_id);
      if (ids.length > 0)
        await transaction
          .updateTable('orders')
          .set({ next_check_at: until })
          .where('request_id', 'in', ids)
          .execute();
      return due.map(fromTable);
    }),
  claimQuerySlot: async (requestId, now, minGapMs) => {
    const slot = { requestId, now, before: now - minGapMs };
    const row = firstOf(await takeQuerySlot(relaxed, slot));
    return row?.checked_at;
  },
  changes: async (cursor) => {
    const [seq, id] = readCursor(cursor);
    type Row = { below: number; seq: number | null } & {
      [K in keyof SeenChange]: SeenChange[K] | null;
    };
    const { rows } = await sql<Row>`
      select watermark.below, orders.changed_in as seq, orders.request_id, orders.intent_id,
        orders.version, intents.closed_at
      from (select ${engine.committedBelow} as below) as watermark
      left join orders on ${sql.raw(cursor === null ? '1 = 0' : '1 = 1')}
        and orders.changed_in >= ${seq} and orders.changed_in < watermark.below
        and (orders.changed_in > ${seq} or orders.request_id > ${id})
      left join intents on intents.intent_id = orders.intent_id
      order by orders.changed_in, orders.request_id
      limit ${MAX_ROWS_PER_STEP}`.execute(read);
    const below = rows[0]?.below ?? 0;
    const found = rows.flatMap(({ closed_at, intent_id, request_id, seq: at, version }) =>
      at === null || request_id === null || intent_id === null || version === null
        ? []
        : [{ seq: at, change: { request_id, intent_id, version, closed_at } }],
    );
    const last = found.at(-1);
    // a ledger restored from a backup may number its writes lower than the cursor
    if (cursor === null || seq > below) return { cursor: writeCursor(below, ''), changed: [] };
    return {
      cursor: last ? writeCursor(last.seq, last.change.request_id) : writeCursor(seq, id),
      changed: found.map(({ change }) => change),
    };
  },
  heartbeat: async (instance) => {
    await addBeat(relaxed, { instance });
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
  repairSchedules: async (now, { claimMs, retryMs }, from) => {
    if (from === null) await repairEvents(relaxed, now, retryMs);
    const rows = await relaxed
      .selectFrom('orders')
      .select(['request_id', 'sending', 'next_check_at', 'asked_at', 'created_at'])
      .where('next_check_at', '>', from ?? now)
      .orderBy('next_check_at')
      .limit(MAX_ROWS_PER_STEP)
      .execute();
    const idsOf = (wrong: (row: (typeof rows)[number]) => boolean): string[] =>
      rows.filter(wrong).map(({ request_id }) => request_id);
    await reschedule(relaxed, now, idsOf(isFromTheFuture(now)));
    const overlong = idsOf(
      ({ next_check_at, sending }) => sending === 'claimed' && (next_check_at ?? 0) > now + claimMs,
    );
    await reschedule(relaxed, now + claimMs, overlong);
    return rows.length < MAX_ROWS_PER_STEP ? null : (rows.at(-1)?.next_check_at ?? null);
  },
});

type Scheduled = Pick<OrderRow, 'sending' | 'created_at'> & { asked_at: number | null };

/** The order was last queried, or created, in the future, so its next check is wrong too. */
const isFromTheFuture =
  (now: number) =>
  ({ asked_at, created_at, sending }: Scheduled): boolean =>
    sending !== 'claimed' && (asked_at ?? created_at) > now;

async function reschedule(db: Kysely<Tables>, at: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('orders')
    .set({ next_check_at: at })
    .where('request_id', 'in', ids)
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

function readCursor(cursor: string | null): [number, string] {
  const [seq = '0', ...id] = (cursor ?? '').split(' ');
  return [Number(seq), id.join(' ')];
}
