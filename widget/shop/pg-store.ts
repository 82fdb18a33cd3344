/** A store for the library pg. */
import { recordBy } from './event-table.js';
import { createLimits, type StoreLimits } from './limits.js';
import type { EventStore } from './receive-events.js';

type PgClient = {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  release(broken?: boolean): void;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
};
/** The last signature, from which TypeScript infers the type, is pg's `connect` with a callback. */
type PgPool<Client> = { connect: { (): Promise<Client>; (callback: never): unknown } };

/**
 * A lost connection also rejects the running query, so its `error` event needs no handling. Without
 * a listener the event would end the process.
 */
const ignore = (): void => {};

/**
 * `tx` of a handler is the pool's client.
 *
 * @param limits keep `transactions` below the pool's `max`, because a handler may need another
 *   connection of the pool
 */
export function pgStore<Client extends PgClient>(
  pool: PgPool<Client>,
  limits?: StoreLimits,
): EventStore<Client> {
  const { inTime, inTurn } = createLimits(limits);
  const transaction = async <T>(run: (client: Client) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    let broken = true;
    client.on('error', ignore);
    try {
      await client.query('begin');
      const result = await inTime(run(client));
      await client.query('commit');
      broken = false;
      return result;
    } finally {
      // After an error the database rolls back when the connection is closed. A part of the handler
      // may go on, and must not write outside the transaction or for somebody else.
      client.release(broken);
      client.off('error', ignore);
    }
  };
  return {
    transaction: (run) => inTurn(() => transaction(run)),
    ...recordBy<Client>((tx) => async (pieces, ...values) => {
      const sql = pieces.reduce((text, piece, index) => `${text}$${index}${piece}`);
      return (await tx.query(sql, [...values])).rows;
    }),
  };
}
