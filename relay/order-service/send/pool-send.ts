/** `send` over a keep-alive undici pool, for Node: several times cheaper per call than fetch. */
import { buildConnector, Pool, type Dispatcher } from 'undici';
import type { MayWrite, Send } from '../client.js';
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
 * Asks once more when the connection stands, right before the request is written: a handshake
 * takes time, and a process may be frozen in it.
 */
const refuseLateWrites: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (opts, handler) => {
  const mayWrite = (opts as { opaque?: MayWrite }).opaque;
  if (!mayWrite) return dispatch(opts, handler);
  return dispatch(opts, {
    onRequestStart: (controller, context) => {
      if (mayWrite()) handler.onRequestStart?.(controller, context);
      else controller.abort(noteNoConnection(new Error('the claim ended before the write')));
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};

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
  const sockets = new Pool(base.origin, {
    connections: options.connections ?? 256,
    pipelining: 1,
    connect: connector(),
    maxResponseSize: options.maxBytes ?? MAX_BYTES,
  });
  const pool = sockets.compose(refuseLateWrites);
  const send: Send = async (path, json, signal, own, mayWrite) => {
    const made = headersFor(options, { path, json }, own);
    const headers = made instanceof Promise ? await made : made;
    try {
      const { statusCode, body } = await pool.request({
        path: prefix + path,
        method: 'POST',
        headers,
        body: json,
        signal,
        opaque: mayWrite,
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
  return { send, close: () => sockets.destroy() };
}
