/** The following half of the SQL ledger: turns and leases that several relays share, and what the others wrote. */
import { sql, type Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Engine } from './engine.js';
import { fromTable } from './order-table.js';
import type { Tables } from './tables.js';

/** Changes that one look brings. */
const AT_ONCE = 1000;

type Following = Pick<Ledger, 'takeDue' | 'takeTurn' | 'changes' | 'beat' | 'purge'>;

/** @param forgetful for what a power cut may undo */
export const sqlFollowing = (
  db: Kysely<Tables>,
  forgetful: Kysely<Tables>,
  engine: Engine,
): Following => ({
  takeDue: (now, until, limit) =>
    forgetful.transaction().execute(async (transaction) => {
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
  takeTurn: async (requestId, now, closest) => {
    const { numUpdatedRows } = await forgetful
      .updateTable('orders')
      .set({ asked_at: now })
      .where('request_id', '=', requestId)
      .where((is) => is.or([is('asked_at', 'is', null), is('asked_at', '<=', now - closest)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  },
  changes: async (cursor) => {
    const [seq, id] = readCursor(cursor);
    const { rows } = await sql<{ settled: number; seq: number | null; request_id: string | null }>`
      select horizon.settled, orders.seq, orders.request_id
      from (select ${engine.settled} as settled) as horizon
      left join orders on ${sql.raw(cursor === null ? '1 = 0' : '1 = 1')} and orders.seq >= ${seq} and orders.seq < horizon.settled
        and (orders.seq > ${seq} or orders.request_id > ${id})
      order by orders.seq, orders.request_id
      limit ${AT_ONCE}`.execute(db);
    const settled = rows[0]?.settled ?? 0;
    const found = rows.flatMap((row) =>
      row.seq === null || row.request_id === null
        ? []
        : [{ seq: row.seq, request_id: row.request_id }],
    );
    const last = found.at(-1);
    // a ledger that was restored from a copy may count lower than before
    if (cursor === null || seq > settled)
      return { cursor: writeCursor(settled, ''), requestIds: [] };
    return {
      cursor: last ? writeCursor(last.seq, last.request_id) : writeCursor(seq, id),
      requestIds: found.map(({ request_id }) => request_id),
    };
  },
  beat: async (instance, now, since) => {
    await forgetful
      .insertInto('instances')
      .values({ instance, seen_at: now })
      .onConflict((conflict) => conflict.column('instance').doUpdateSet({ seen_at: now }))
      .execute();
    await forgetful.deleteFrom('instances').where('seen_at', '<=', since).execute();
    return (await db.selectFrom('instances').select('instance').execute()).length;
  },
  purge: (before, limit) =>
    db.transaction().execute(async (transaction) => {
      const old = await transaction
        .selectFrom('intents')
        .select('intent_id')
        .where('created_at', '<', before)
        .limit(limit)
        .execute();
      const ids = old.map(({ intent_id }) => intent_id);
      if (ids.length === 0) return 0;
      await transaction.deleteFrom('shop_events').where('intent_id', 'in', ids).execute();
      await transaction.deleteFrom('orders').where('intent_id', 'in', ids).execute();
      await transaction.deleteFrom('intents').where('intent_id', 'in', ids).execute();
      return ids.length;
    }),
});

const writeCursor = (seq: number, id: string): string => `${seq} ${id}`;

function readCursor(cursor: string | null): [number, string] {
  const [seq = '0', ...id] = (cursor ?? '').split(' ');
  return [Number(seq), id.join(' ')];
}
