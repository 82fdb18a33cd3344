/** A store for Knex on PostgreSQL or SQLite. */
import {
  FIND_EVENT_SQL,
  INSERT_EVENT_SQL,
  LAST_SEQUENCE_SQL,
  LOCK_INTENT_SQL,
  lockRowOf,
  positional,
  valuesOf,
} from './event-table.js';
import { createLimits, type StoreLimits } from './limits.js';
import type { EventStore } from './receive-events.js';

type KnexTransaction = {
  raw(sql: string, values: readonly (string | number)[]): PromiseLike<unknown>;
};
type Knex<Tx> = { transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> };

/** A raw statement resolves to an object with `rows` on pg, and to the rows on SQLite. */
async function rowsOf(
  tx: KnexTransaction,
  sql: string,
  values: readonly (string | number)[],
): Promise<unknown[]> {
  const result = await tx.raw(positional(sql), values);
  return Array.isArray(result) ? result : (result as { rows: unknown[] }).rows;
}

/**
 * `tx` of a handler is Knex's transaction. After a rollback Knex refuses what a handler writes
 * late.
 *
 * @param limits keep `transactions` below the pool's `max`, because a handler may need another
 *   connection of the pool
 */
export function knexStore<Tx extends KnexTransaction>(
  knex: Knex<Tx>,
  limits?: StoreLimits,
): EventStore<Tx> {
  const { inTime, inTurn } = createLimits(limits);
  return {
    transaction: (run) => inTurn(() => knex.transaction((tx) => inTime(run(tx)))),
    add: async (tx, row) => {
      await tx.raw(positional(LOCK_INTENT_SQL), valuesOf(lockRowOf(row.intent_id)));
      return (await rowsOf(tx, INSERT_EVENT_SQL, valuesOf(row))).length > 0;
    },
    lastSequence: async (tx, { epoch, intent_id }) => {
      const [row] = await rowsOf(tx, LAST_SEQUENCE_SQL, [intent_id, epoch]);
      return Number((row as { last?: unknown } | undefined)?.last ?? 0);
    },
    isAdded: async (tx, event_id) => (await rowsOf(tx, FIND_EVENT_SQL, [event_id])).length > 0,
  };
}
