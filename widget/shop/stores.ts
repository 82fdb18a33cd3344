/**
 * Stores for the shop's own database. The table also has a row for each intent: an insert that
 * finds it locks it, so that two events of one intent wait for each other.
 */
import type { EventStore } from './receive-events.js';

/** Create it once, with the shop's other tables. */
export const EVENTS_TABLE = `create table if not exists pay_checkout_events (
  event_id text primary key,
  intent_id text not null,
  epoch text not null,
  sequence integer not null
);
create index if not exists pay_checkout_events_by_intent
  on pay_checkout_events (intent_id, epoch, sequence);`;

const LOCK = `insert into pay_checkout_events (event_id, intent_id, epoch, sequence)
  values ($1, $2, '', 0) on conflict (event_id) do update set epoch = ''`;
const ADD = `insert into pay_checkout_events (event_id, intent_id, epoch, sequence)
  values ($1, $2, $3, $4) on conflict (event_id) do nothing returning event_id`;
const LAST = `select coalesce(max(sequence), 0) as last from pay_checkout_events
  where intent_id = $1 and epoch = $2`;

const lockOf = (intentId: string): string => `intent ${intentId}`;

/** A client or a pool of the library pg. */
type PgClient = {
  query(sql: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
};
type PgPool<Client> = { connect(): Promise<Client> };

export const pgStore = <Client extends PgClient & { release(broken?: boolean): void }>(
  pool: PgPool<Client>,
): EventStore<Client> => ({
  transaction: async (run) => {
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query('begin');
      const result = await run(client).catch(async (error: unknown) => {
        await client.query('rollback');
        broken = false;
        throw error;
      });
      await client.query('commit');
      broken = false;
      return result;
    } finally {
      // a connection in an unknown state is not used again
      client.release(broken);
    }
  },
  add: async (tx, { epoch, event_id, intent_id, sequence }) => {
    await tx.query(LOCK, [lockOf(intent_id), intent_id]);
    return (await tx.query(ADD, [event_id, intent_id, epoch, sequence])).rows.length > 0;
  },
  lastSequence: async (tx, { epoch, intent_id }) =>
    Number((await tx.query(LAST, [intent_id, epoch])).rows[0]?.last ?? 0),
});

/** A database of node:sqlite or better-sqlite3. */
type SqliteDatabase = {
  exec(sql: string): unknown;
  prepare(sql: string): { get(...values: (string | number)[]): unknown };
};

/**
 * One transaction at a time. Give the store a connection of its own: what other code writes on the
 * same connection meanwhile becomes a part of the transaction.
 */
export function sqliteStore<Database extends SqliteDatabase>(
  database: Database,
): EventStore<Database> {
  let last: Promise<unknown> = Promise.resolve();
  const positional = (sql: string): string => sql.replace(/\$\d/g, '?');
  return {
    transaction: (run) => {
      const result = last.then(async () => {
        database.exec('begin immediate');
        try {
          const value = await run(database);
          database.exec('commit');
          return value;
        } catch (error) {
          database.exec('rollback');
          throw error;
        }
      });
      last = result.catch(() => {});
      return result;
    },
    add: async (tx, { epoch, event_id, intent_id, sequence }) =>
      Boolean(tx.prepare(positional(ADD)).get(event_id, intent_id, epoch, sequence)),
    lastSequence: async (tx, { epoch, intent_id }) => {
      const row = tx.prepare(positional(LAST)).get(intent_id, epoch) as { last?: number };
      return row.last ?? 0;
    },
  };
}
