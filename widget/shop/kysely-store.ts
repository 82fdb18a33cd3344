/** A store for Kysely on PostgreSQL or SQLite. */
import { lockRowOf } from './event-table.js';
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
    add: async (tx, row) => {
      const lock = lockRowOf(row.intent_id);
      await sql`insert into pay_checkout_events (event_id, intent_id, epoch, sequence)
        values (${lock.event_id}, ${lock.intent_id}, ${lock.epoch}, ${lock.sequence})
        on conflict (event_id) do update set epoch = ''`.execute(tx);
      const { rows } = await sql`insert into pay_checkout_events
        (event_id, intent_id, epoch, sequence)
        values (${row.event_id}, ${row.intent_id}, ${row.epoch}, ${row.sequence})
        on conflict (event_id) do nothing returning event_id`.execute(tx);
      return rows.length > 0;
    },
    lastSequence: async (tx, { epoch, intent_id }) => {
      const { rows } = await sql`select coalesce(max(sequence), 0) as last from pay_checkout_events
        where intent_id = ${intent_id} and epoch = ${epoch}`.execute(tx);
      return Number((rows[0] as { last?: unknown } | undefined)?.last ?? 0);
    },
    isAdded: async (tx, event_id) => {
      const found = sql`select 1 as found from pay_checkout_events where event_id = ${event_id}`;
      return (await found.execute(tx)).rows.length > 0;
    },
  };
}
