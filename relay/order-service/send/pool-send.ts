/** `send` over a keep-alive undici pool, for Node: several times cheaper per call than fetch. */
import { buildConnector, Pool } from 'undici';
import type { Send } from '../client.js';
import { OrderServiceError } from '../errors.js';
import {
  MAX_BYTES,
  headersFor,
  neverConnected,
  noteNoConnection,
  type SendOptions,
} from './signing.js';

/** As undici connects, but telling apart what fails before a request can begin. */
function connector(): buildConnector.connector {
  const connect = buildConnector({});
  return (options, done) =>
    connect(options, (...[error, socket]) =>
      error ? done(noteNoConnection(error), null) : done(null, socket),
    );
}

/**
 * @param connections sockets kept to the service. Pipelining stays off: a pay must never queue
 *   behind another answer
 */
export function poolSend(options: SendOptions & { connections?: number }): {
  send: Send;
  close: () => Promise<void>;
} {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const pool = new Pool(base.origin, {
    connections: options.connections ?? 256,
    pipelining: 1,
    connect: connector(),
    maxResponseSize: options.maxBytes ?? MAX_BYTES,
  });
  const send: Send = async (path, json, signal, own) => {
    const made = headersFor(options, { path, json }, own);
    const headers = made instanceof Promise ? await made : made;
    try {
      const { statusCode, body } = await pool.request({
        path: prefix + path,
        method: 'POST',
        headers,
        body: json,
        signal,
      });
      return { status: statusCode, text: await body.text() };
    } catch (error) {
      throw new OrderServiceError(
        neverConnected(error) ? 'unreachable' : 'outcome_unknown',
        'no whole answer',
        { cause: error },
      );
    }
  };
  return { send, close: () => pool.destroy() };
}
