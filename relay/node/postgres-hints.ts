/**
 * Hints between the relays of a PostgreSQL ledger, by NOTIFY on a connection of their own. Inside
 * the transaction of an order, NOTIFY would make all orders wait for each other's commits.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import type { Hints, Log } from '../runtime.js';

export const CHANNEL = 'pay_checkout';
/** Changes within this time share one hint. */
const COLLECT_MS = 20;
const CONNECT_AGAIN_MS = 1000;
/** How often the connection is tested: a server may be gone without closing it. */
const TEST_EVERY_MS = 10_000;
const QUERY_TIMEOUT_MS = 5000;

/**
 * Connects at once, and again when the connection is lost. Without a connection no hint is sent or
 * received.
 *
 * @param connectionString a server or a pooler of sessions: a pooler of transactions forgets LISTEN
 */
export function postgresHints(connectionString: string, log: Log): Hints {
  /** Names this relay in its own hints, which it ignores. */
  const sender = crypto.randomUUID();
  const timers = new Set<NodeJS.Timeout>();
  let listener = (): void => {};
  let client: pg.Client | null = null;
  let isConnected = false;
  let isCollecting = false;
  let isClosed = false;
  let isReported = false;

  const later = (ms: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer.unref());
  };

  const connectLater = (error: unknown): void => {
    if (isClosed) return;
    // only the message: other fields of the error may hold the address with its password
    const reason = error instanceof Error ? error.message : String(error);
    if (!isReported) log('warn', 'hint', { message: 'no hints for now', error: reason });
    isReported = true;
    later(CONNECT_AGAIN_MS, () => void connect());
  };

  const lose = (lost: pg.Client, error: unknown): void => {
    if (client !== lost) return;
    client = null;
    isConnected = false;
    lost.end().catch(() => {});
    connectLater(error);
  };

  const run = async (connection: pg.Client, text: string, values: string[] = []): Promise<void> => {
    try {
      await connection.query(text, values);
    } catch (error) {
      lose(connection, error);
    }
  };

  const testRegularly = (connection: pg.Client): void =>
    later(TEST_EVERY_MS, () => {
      if (client !== connection) return;
      void run(connection, 'select 1').then(() => testRegularly(connection));
    });

  /** @throws TypeError when the address cannot be read */
  function createClient(): pg.Client {
    const connection = new pg.Client({
      connectionString,
      application_name: 'pay-checkout hints',
      connectionTimeoutMillis: QUERY_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      keepAlive: true,
      // hints alone must not keep the shop's process alive
      stream: () => new Socket().unref(),
    });
    connection.on('error', (error) => lose(connection, error));
    connection.on('end', () => lose(connection, new Error('the connection ended')));
    connection.on('notification', ({ payload }) => {
      if (payload !== sender) listener();
    });
    return connection;
  }

  async function connect(): Promise<void> {
    let connection: pg.Client;
    try {
      connection = createClient();
    } catch (error) {
      connectLater(error);
      return;
    }
    client = connection;
    try {
      await connection.connect();
      await connection.query(`listen ${CHANNEL}`);
    } catch (error) {
      lose(connection, error);
      return;
    }
    isConnected = true;
    if (isReported) log('info', 'hint', { message: 'hints are sent and received again' });
    isReported = false;
    // hints were lost while there was no connection
    listener();
    testRegularly(connection);
  }

  void connect();
  return {
    send: () => {
      if (isCollecting || !isConnected) return;
      isCollecting = true;
      later(COLLECT_MS, () => {
        isCollecting = false;
        if (client && isConnected) void run(client, `select pg_notify('${CHANNEL}', $1)`, [sender]);
      });
    },
    receive: (newListener) => {
      listener = newListener;
    },
    close: async () => {
      isClosed = true;
      timers.forEach((timer) => clearTimeout(timer));
      await client?.end().catch(() => {});
    },
  };
}
