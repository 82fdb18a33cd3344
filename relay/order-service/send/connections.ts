/**
 * Keep-alive connections of undici to one origin, each of which carries one request at a time.
 *
 * A server may close a connection that rests, without a word before. A request that is written at
 * this moment is lost, and a pay must not be sent twice. So a connection is used again only while
 * its last answer is young, the youngest first. This is our own code, because undici's pool takes
 * any connection that is still open.
 */
import { buildConnector, Client, type Dispatcher } from 'undici';
import { skipInformational, type SocketReader } from './skip-informational.js';
import { exchange, type Answer, type Ways } from './exchange.js';
import { markNeverConnected, neverConnected } from './signing.js';
import { HOUR_MS } from '../../contract/durations.js';

/** A shorter rest that early ends have taught is kept for so long after the last of them. */
const REMEMBER_MS = HOUR_MS;

/** The server has ended a connection that the relay still held for usable. */
export type EarlyEnd = {
  /** Whether a request was written to the connection and got no answer. */
  lost: boolean;
  /** How long connections may rest from now on, when this end has shortened the time. */
  shortenedToMs?: number;
};

type Options = {
  origin: string;
  /** How long a connection may rest; early ends make it shorter. */
  idleMs: number;
  maxBytes?: number;
  onEarlyEnd?: ((end: EarlyEnd) => void) | undefined;
  now?: (() => number) | undefined;
};

type Connection = {
  readonly client: Client;
  /** When the last answer was complete; null while a request is under way. */
  restsSince: number | null;
  /** Called before each request. */
  expectHead: () => void;
};

export type Connections = {
  request(
    options: Dispatcher.DispatchOptions,
    signal: AbortSignal | null,
    ways?: Ways,
  ): Promise<Answer>;
  /** Cuts all connections. */
  close(): Promise<void>;
};

export function createConnections({
  idleMs,
  maxBytes = -1,
  now = () => performance.now(),
  onEarlyEnd = () => {},
  origin,
}: Options): Connections {
  const open = new Set<Connection>();
  /** The connection that has rested for the shortest time is the last. */
  const resting: Connection[] = [];
  let restMs = idleMs;
  let learnedAt = -Infinity;

  const maxRestMs = (): number => {
    if (now() - learnedAt > REMEMBER_MS) restMs = idleMs;
    return restMs;
  };
  /** Half of the server's time leaves room for the way of the bytes. */
  const learn = (restedMs: number, lost: boolean): void => {
    const before = maxRestMs();
    while (restMs > restedMs / 2) restMs = restMs > 1 ? restMs / 2 : 0;
    learnedAt = now();
    onEarlyEnd({ lost, ...(restMs < before && { shortenedToMs: restMs }) });
  };
  const drop = (connection: Connection): void => {
    open.delete(connection);
    // its end is ours, and says nothing of the server
    connection.restsSince = null;
    const at = resting.indexOf(connection);
    if (at !== -1) resting.splice(at, 1);
    void connection.client.destroy().catch(() => {});
  };
  const connect = (): Connection => {
    const client = new Client(origin, {
      pipelining: 1,
      maxResponseSize: maxBytes,
      keepAliveTimeout: Math.max(1, idleMs),
      keepAliveMaxTimeout: Math.max(1, idleMs),
      connect: connectorOf((socket) => (connection.expectHead = skipInformational(socket))),
    });
    const connection: Connection = { client, restsSince: null, expectHead: () => {} };
    client.on('disconnect', (_origin, _targets, error) => {
      // undici's own reasons: the rest is over, or the answer said `connection: close`
      const isOurs = 'code' in error && error.code === 'UND_ERR_INFO';
      const { restsSince } = connection;
      if (restsSince === null) return;
      drop(connection);
      if (!isOurs) learn(now() - restsSince, false);
    });
    open.add(connection);
    return connection;
  };
  const youngest = (): Connection | undefined => {
    for (let last = resting.pop(); last; last = resting.pop()) {
      if (now() - (last.restsSince ?? -Infinity) < maxRestMs()) return last;
      drop(last);
    }
    return undefined;
  };

  return {
    request: async (options, signal, ways = {}) => {
      const connection = youngest() ?? connect();
      const { client, restsSince } = connection;
      const restedMs = restsSince === null ? null : now() - restsSince;
      connection.restsSince = null;
      connection.expectHead();
      let answered = false;
      const onStatus = (status: number): void => {
        answered = true;
        ways.onStatus?.(status);
      };
      try {
        const answer = await exchange(client, options, signal, { ...ways, onStatus });
        connection.restsSince = now();
        resting.push(connection);
        return answer;
      } catch (error) {
        drop(connection);
        const wasCut = !answered && !signal?.aborted && !neverConnected(error);
        if (wasCut && restedMs !== null) learn(restedMs, true);
        throw error;
      }
    },
    close: async () => {
      await Promise.all([...open].map(({ client }) => client.destroy()));
    },
  };
}

/** undici's connector, which marks its errors: they occur before a request can begin. */
function connectorOf(onSocket: (socket: SocketReader) => void): buildConnector.connector {
  const connect = buildConnector({});
  return (options, done) =>
    connect(options, (...[error, socket]) => {
      if (error) return done(markNeverConnected(error), null);
      onSocket(socket);
      return done(null, socket);
    });
}
