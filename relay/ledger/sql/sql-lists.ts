/** Lists of orders and events for a shop that reconciles, in the order of their numbers. */
import { sql, type Kysely } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { ListName, Position, Reach } from '../shop-ledger.js';
import type { Engine } from './engine.js';
import { orderStatements } from './order-statements.js';
import { fromTable } from './order-table.js';
import { firstOf, prepared } from './prepared.js';
import { eventFromTable } from './sql-events.js';
import type { Tables } from './tables.js';

const START: Position = { number: Number.MIN_SAFE_INTEGER, id: '' };

const selectNumbered = {
  orders: prepared((db, { number }: { number: number }) =>
    db.selectFrom('orders').select('request_id as id').where('changed_in', '=', number),
  ),
  events: prepared((db, { number }: { number: number }) =>
    db.selectFrom('shop_events').select('event_id as id').where('seq', '=', number),
  ),
};

/** Reads how far a list reaches. Only a later statement may read the list. */
export async function readReach(
  db: Kysely<Tables>,
  { reach }: Engine,
  list: ListName,
): Promise<Reach> {
  const row = firstOf(await reach[list].execute(db));
  if (!row) throw new Error(`the ledger does not say how far its ${list} reach`);
  return {
    last: Number(row.last),
    settled: Number(row.settled),
    is_standby: Boolean(row.is_standby),
  };
}

/** @param read for reads outside a transaction */
export function sqlLists(
  read: Kysely<Tables>,
  engine: Engine,
): Pick<Ledger, 'reach' | 'heldBack' | 'listOrders' | 'listEvents'> {
  /**
   * Whether the position is of another history: this ledger is a copy that lost rows, and its next
   * rows get numbers that other rows had before.
   */
  const isForeign = async (list: ListName, { id, number }: Position, last: number) => {
    if (number > last) return true;
    if (list === 'orders') {
      const row = firstOf(await orderStatements(engine).selectOrder(read, { requestId: id }));
      // an order that changed since then has a higher number
      if (row) return row.changed_in < number;
    }
    const { rows } = await selectNumbered[list](read, { number });
    return rows.length > 0 && rows.every((row) => row.id !== id);
  };
  const begin = async (list: ListName, after: Position | null, reach?: Reach) => {
    const { last, settled } = reach ?? (await readReach(read, engine, list));
    const isReset = after !== null && after.id !== '' && (await isForeign(list, after, last));
    return { ...(after === null || isReset ? START : after), isReset, settled };
  };
  return {
    reach: (list) => readReach(read, engine, list),
    heldBack: async () => {
      if (engine.heldBack === null) return null;
      const row = firstOf(await engine.heldBack.execute(read));
      return row ? { by: row.by, ms: Number(row.ms) } : null;
    },
    listOrders: async (after, limit, reach) => {
      const { id, isReset, number, settled } = await begin('orders', after, reach);
      const rows = await read
        .selectFrom('orders')
        .selectAll()
        .where(sql<boolean>`(changed_in, request_id) > (${number}, ${id})`)
        .where('changed_in', '<=', settled)
        .orderBy('changed_in')
        .orderBy('request_id')
        .limit(limit + 1)
        .execute();
      const listed = rows.slice(0, limit);
      const last = listed.at(-1);
      return {
        rows: listed.map(fromTable),
        last: last ? { number: last.changed_in, id: last.request_id } : { number, id },
        more: rows.length > limit,
        isReset,
      };
    },
    listEvents: async (after, limit, { intentId, reach } = {}) => {
      const { id, isReset, number, settled } = await begin('events', after, reach);
      const rows = await read
        .selectFrom('shop_events')
        .selectAll()
        .where('seq', '>', number)
        .where('seq', '<=', settled)
        .$if(intentId !== undefined, (query) => query.where('intent_id', '=', intentId ?? ''))
        .orderBy('seq')
        .limit(limit + 1)
        .execute();
      const listed = rows.slice(0, limit);
      const last = listed.at(-1);
      return {
        rows: listed.map(eventFromTable),
        last: last ? { number: last.seq, id: last.event_id } : { number, id },
        more: rows.length > limit,
        isReset,
      };
    },
  };
}
