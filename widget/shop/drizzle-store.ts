/** A store for Drizzle on PostgreSQL or SQLite. */
import { recordBy } from './event-table.js';
import { createLimits, type StoreLimits } from './limits.js';
import type { EventStore } from './receive-events.js';

/** A transaction on PostgreSQL has `execute`, and one on SQLite has `all`. */
type DrizzleTransaction<Query> =
  { execute(query: Query): PromiseLike<unknown> } | { all(query: Query): PromiseLike<unknown> };
type DrizzleDatabase<Tx> = { transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> };

/**
 * `tx` of a handler is Drizzle's transaction. After a rollback Drizzle refuses what a handler
 * writes late. Drivers of SQLite whose transactions cannot wait, such as better-sqlite3, need
 * `sqliteStore` with a connection of its own.
 *
 * @param sql the template tag `sql` that drizzle-orm exports
 * @param limits keep `transactions` below the pool's `max`, because a handler may need another
 *   connection of the pool; on SQLite one transaction runs at a time
 */
export function drizzleStore<Tx extends object & DrizzleTransaction<Query>, Query>(
  database: DrizzleDatabase<Tx>,
  sql: (text: TemplateStringsArray, ...values: unknown[]) => Query,
  limits: StoreLimits = {},
): EventStore<Tx> {
  // a second transaction of libsql would block the process until the first one times out
  const one = 'all' in database && { transactions: 1 };
  const { inTime, inTurn } = createLimits({ ...limits, ...one });
  return {
    transaction: (run) =>
      inTurn(() =>
        database.transaction(async (tx) => {
          const { end, lent } = lend(tx);
          return inTime(run(lent)).finally(end);
        }),
      ),
    ...recordBy<Tx>((tx) => async (...statement) => {
      const query = sql(...statement);
      return rowsIn(await ('all' in tx ? tx.all(query) : tx.execute(query)));
    }),
  };
}

/** node-postgres returns an object with `rows`; postgres.js and SQLite return the rows. */
const rowsIn = (result: unknown): readonly unknown[] => {
  const rows = Array.isArray(result) ? result : (result as { rows?: unknown }).rows;
  if (!Array.isArray(rows)) throw new TypeError('drizzleStore: the driver returned no rows');
  return rows;
};

/**
 * A handler that was given up goes on. Drizzle would send its late statements on a connection that
 * is back in the pool: outside any transaction, or in that of somebody else. So the handler gets
 * the transaction, and the session that its queries keep, by proxies that end.
 */
function lend<Tx extends object>(tx: Tx): { lent: Tx; end(): void } {
  const proxies = new Map<unknown, { proxy: object; revoke(): void }>();
  const lendPart = <Part extends object>(part: Part, get?: ProxyHandler<Part>['get']): Part => {
    const made = Proxy.revocable(part, get ? { get } : {});
    proxies.set(part, made);
    return made.proxy;
  };
  const lent = lendPart(tx, (target, name, receiver) => {
    const part: unknown = Reflect.get(target, name, receiver);
    if (typeof part !== 'object' || part === null) return part;
    return proxies.get(part)?.proxy ?? lendPart(part);
  });
  return { lent, end: () => proxies.forEach(({ revoke }) => revoke()) };
}
