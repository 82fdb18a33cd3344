/** `send` over a keep-alive undici pool, for Node; a call costs several times less than fetch. */
import { buildConnector, Pool } from 'undici';
import type { MayWrite, Send } from '../client.js';
import { OrderServiceError } from '../errors.js';
import { exchange } from './exchange.js';
import {
  MAX_ANSWER_BYTES,
  headersFor,
  neverConnected,
  markNeverConnected,
  type SendOptions,
} from './signing.js';

/** undici's connector, which marks its errors: they occur before a request can begin. */
function connector(): buildConnector.connector {
  const connect = buildConnector({});
  return (options, done) =>
    connect(options, (...[error, socket]) =>
      error ? done(markNeverConnected(error), null) : done(null, socket),
    );
}

/**
 * Checks the claim again on the open connection, right before the request is written: the claim can
 * end during a slow handshake, or while the process is suspended.
 */
const refuseLate = (mayWrite: MayWrite | undefined): Error | null =>
  mayWrite && !mayWrite()
    ? markNeverConnected(new Error('the claim ended before the write'))
    : null;

/**
 * Pipelining is off, since a pay must never queue behind another answer.
 *
 * @param options `connections` is the number of sockets to the service
 */
export function poolSend(options: SendOptions & { connections?: number }): {
  send: Send;
  close: () => Promise<void>;
} {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const sockets = new Pool(base.origin, {
    connections: options.connections ?? 256,
    pipelining: 1,
    connect: connector(),
    maxResponseSize: options.maxBytes ?? MAX_ANSWER_BYTES,
  });
  const send: Send = async (path, json, signal, ownHeaders, mayWrite) => {
    const built = headersFor(options, { path, json }, ownHeaders);
    const headers = built instanceof Promise ? await built : built;
    try {
      return await exchange(
        sockets,
        { path: prefix + path, method: 'POST', headers, body: json },
        signal,
        { refuse: () => refuseLate(mayWrite) },
      );
    } catch (error) {
      throw new OrderServiceError(
        neverConnected(error) ? 'unreachable' : 'outcome_unknown',
        'no complete answer',
        { cause: error },
      );
    }
  };
  return { send, close: () => sockets.destroy() };
}
