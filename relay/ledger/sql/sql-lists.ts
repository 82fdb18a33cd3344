/** Lists of orders and events for a shop that reconciles, in the order of their commits. */
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Ledger } from '../ledger.js';
import type { Listed, Position } from '../shop-ledger.js';
import type { Engine } from './engine.js';
import { fromTable } from './order-table.js';
import { eventFromTable } from './sql-events.js';
import type { Tables } from './tables.js';

const START: Position = { number: Number.MIN_SAFE_INTEGER, id: '' };

/** @param read for reads outside a transaction */
export const sqlLists = (
  read: Kysely<Tables>,
  engine: Engine,
): Pick<Ledger, 'listOrders' | 'listEvents'> => ({
  listOrders: async (after, limit) => {
    const below = await numberOf(read, engine.committedBelow);
    const { isReset, number, id } = startOf(after, below);
    const rows = await read
      .selectFrom('orders')
      .selectAll()
      .where(sql<boolean>`(changed_in, request_id) > (${number}, ${id})`)
      .where('changed_in', '<', below)
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
  listEvents: async (after, limit, intentId) => {
    const below = await numberOf(read, engine.eventsCommittedBelow);
    const { isReset, number, id } = startOf(after, below);
    const rows = await read
      .selectFrom('shop_events')
      .selectAll()
      .where(sql<boolean>`(written_in, seq) > (${number}, ${Number(id)})`)
      .where('written_in', '<', below)
      .$if(intentId !== undefined, (query) => query.where('intent_id', '=', intentId ?? ''))
      .orderBy('written_in')
      .orderBy('seq')
      .limit(limit + 1)
      .execute();
    const listed = rows.slice(0, limit);
    const last = listed.at(-1);
    return {
      rows: listed.map(eventFromTable),
      last: last ? { number: last.written_in, id: String(last.seq) } : { number, id },
      more: rows.length > limit,
      isReset,
    };
  },
});

/** A restored ledger may have lower numbers than a position that was given out before. */
function startOf(
  after: Position | null,
  below: number,
): Position & Pick<Listed<unknown>, 'isReset'> {
  const isReset = after !== null && after.number >= below;
  return { ...(after === null || isReset ? START : after), isReset };
}

const numberOf = async (read: Kysely<Tables>, expression: RawBuilder<number>): Promise<number> => {
  const { rows } = await sql<{ number: number }>`select ${expression} as number`.execute(read);
  return Number(rows[0]?.number);
};
