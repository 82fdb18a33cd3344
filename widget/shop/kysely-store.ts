/** A store for Kysely on PostgreSQL or SQLite. */
import { recordBy } from './event-table.js';
import { createLimits, type StoreLimits } from './limits.js';
import type { EventStore } from './receive-events.js';

type Database<Tx> = {
  transaction(): { execute<T>(run: (tx: Tx) => Promise<T>): Promise<T> };
};
/** The type of Kysely's `sql`: the package does not depend on Kysely. */
type SqlTag<Tx> = (
  text: TemplateStringsArray,
  ...values: unknown[]
) => { execute(tx: Tx): Promise<{ rows: unknown[] }> };

/**
 * `tx` of a handler is Kysely's transaction. After a rollback Kysely refuses what a handler writes
 * late.
 *
 * @param sql the template tag `sql` that Kysely exports
 * @param limits keep `transactions` below the pool's `max`, because a handler may need another
 *   connection of the pool
 */
export function kyselyStore<Tx>(
  database: Database<Tx>,
  sql: SqlTag<NoInfer<Tx>>,
  limits?: StoreLimits,
): EventStore<Tx> {
  const { inTime, inTurn } = createLimits(limits);
  return {
    transaction: (run) => inTurn(() => database.transaction().execute((tx) => inTime(run(tx)))),
    ...recordBy<Tx>(
      (tx) =>
        async (...statement) =>
          (await sql(...statement).execute(tx)).rows,
    ),
  };
}
