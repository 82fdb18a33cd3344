/** `send` over a keep-alive undici pool, for Node; a call costs several times less than fetch. */
import { buildConnector, Pool, type Dispatcher } from 'undici';
import type { MayWrite, Send } from '../client.js';
import { OrderServiceError } from '../errors.js';
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
const refuseLateWrites: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (opts, handler) => {
  const mayWrite = (opts as { opaque?: MayWrite }).opaque;
  if (!mayWrite) return dispatch(opts, handler);
  return dispatch(opts, {
    onRequestStart: (controller, context) => {
      if (mayWrite()) handler.onRequestStart?.(controller, context);
      else controller.abort(markNeverConnected(new Error('the claim ended before the write')));
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};

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
  const pool = sockets.compose(refuseLateWrites);
  const send: Send = async (path, json, signal, ownHeaders, mayWrite) => {
    const built = headersFor(options, { path, json }, ownHeaders);
    const headers = built instanceof Promise ? await built : built;
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
        'no complete answer',
        { cause: error },
      );
    }
  };
  return { send, close: () => sockets.destroy() };
}
