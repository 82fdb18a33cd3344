/** A store for Knex on PostgreSQL or SQLite. */
import { recordBy } from './event-table.js';
import { createLimits, type StoreLimits } from './limits.js';
import type { EventStore } from './receive-events.js';

type KnexTransaction = {
  raw(sql: string, values: readonly (string | number)[]): PromiseLike<unknown>;
};
type Knex<Tx> = { transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> };

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
    ...recordBy<Tx>((tx) => async (pieces, ...values) => {
      const result = await tx.raw(pieces.join('?'), values);
      // an object with `rows` on pg, and the rows on SQLite
      return Array.isArray(result) ? result : (result as { rows: unknown[] }).rows;
    }),
  };
}
