/** The typed client of the order service: six operations over one `send`. */
import type { z } from 'zod';
import { traceHeaders, type Trace } from '../contract/trace.js';
import { firstWrongField } from '../contract/wrong-field.js';
import { onAbort } from '../runtime.js';
import { readEnvelope } from './envelope.js';
import { OrderServiceError } from './errors.js';
import {
  answerSchema,
  operations,
  queriedOrder,
  type DataOf,
  type OperationName,
  type QueriedOrder,
  type RequestOf,
  type RequestToCheck,
} from './operations.js';
import { signed, type Sign } from './send/signing.js';

/**
 * Carries one POST to the service and brings its answer back, whatever its status. It writes the
 * request before it awaits anything.
 *
 * @param headers the headers that depend on the request
 * @param isLate called last, on the open connection; when it returns true, nothing is written
 * @throws OrderServiceError `unreachable` when no connection was made or the request is late, else
 *   `outcome_unknown`
 */
export type Send = (
  path: string,
  json: string,
  signal: AbortSignal,
  headers?: Record<string, string>,
  isLate?: IsLate,
) => Promise<{ status: number; text: string }>;

/** Whether it is too late to write a request. */
export type IsLate = () => boolean;

/** A pay that is checked and signed. Nothing was sent. */
export type PreparedPay = {
  /** Writes the request before it awaits anything, unless the connection must first be made. */
  send(isLate: IsLate): Promise<DataOf<'pay'>>;
  /** Must be called when the pay is not sent. */
  drop(): void;
};

export type OrderService = {
  readonly [N in OperationName]: (
    request: RequestOf<N>,
    signal?: AbortSignal,
    /** Of the request that causes this one; its header is forwarded. */
    trace?: Trace,
  ) => Promise<DataOf<N>>;
} & {
  /**
   * Queries a pay-in order, and reads its status and what tells which order it is.
   *
   * @throws OrderServiceError `unreadable` too when the status is no integer
   */
  queryOrder(
    request: RequestOf<'query'>,
    signal?: AbortSignal,
    trace?: Trace,
  ): Promise<QueriedOrder>;
  /** Does all of a pay that may take time before its request is written. */
  preparePay(request: RequestToCheck<'pay'>, trace?: Trace): Promise<PreparedPay>;
};

export type OrderServiceOptions = {
  send: Send;
  /**
   * Time limit of one call in milliseconds, and of its signature before; by default 10,000, at most
   * 2,147,483,647.
   */
  timeoutMs?: number | undefined;
  sign?: Sign | undefined;
};

/** A timer that is longer, or no number, ends at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Each operation throws OrderServiceError: `invalid_request`, `refused`, `unreachable`,
 * `unreadable` or `outcome_unknown`.
 *
 * @throws RangeError when `timeoutMs` is no time that a timer can wait
 */
export function createOrderService({
  send,
  sign,
  timeoutMs = 10_000,
}: OrderServiceOptions): OrderService {
  if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMER_MS))
    throw new RangeError(`timeoutMs: expected more than 0 and at most ${MAX_TIMER_MS}`);
  const prepare = async <N extends OperationName, T>(
    name: N,
    request: RequestToCheck<N>,
    trace: Trace | undefined,
    /** Called with a request that is checked. */
    schemaOf: () => z.ZodType<T>,
    signal?: AbortSignal,
  ) => {
    const { path } = operations[name];
    const json = JSON.stringify(checked(name, request));
    const schema = schemaOf();
    const signature = sign
      ? await withinTime(timeoutMs, signal, unsigned, () => signed(sign, { path, json }))
      : {};
    const headers = { ...traceHeaders(trace), ...signature };
    return async (isLate?: IsLate): Promise<T> => {
      if (signal?.aborted) throw gone();
      const answer = await withinTime(timeoutMs, signal, unanswered, (ended) =>
        send(path, json, ended, headers, isLate),
      );
      return readEnvelope(answer, schema);
    };
  };
  const operation =
    <N extends OperationName>(name: N) =>
    async (request: RequestOf<N>, signal?: AbortSignal, trace?: Trace): Promise<DataOf<N>> =>
      (await prepare(name, request, trace, () => answerSchema(name, request), signal))();
  return {
    depositAddress: operation('depositAddress'),
    query: operation('query'),
    withdraw: operation('withdraw'),
    verifyDepositAddress: operation('verifyDepositAddress'),
    pay: operation('pay'),
    payout: operation('payout'),
    queryOrder: async (request, signal, trace) =>
      (await prepare('query', request, trace, () => queriedOrder, signal))(),
    preparePay: async (request, trace) => {
      const send = await prepare('pay', request, trace, () => answerSchema('pay', request));
      return { send, drop: () => {} };
    },
  };
}

/** @throws OrderServiceError `invalid_request` naming the field */
function checked<N extends OperationName>(name: N, request: RequestToCheck<N>): unknown {
  const body = operations[name].request.safeParse(request);
  if (body.success) return body.data;
  const { field, problem } = firstWrongField(body.error);
  const message = [name, field, problem].filter(Boolean).join(': ');
  throw new OrderServiceError('invalid_request', message, { field });
}

const unsigned = (cause: Error): OrderServiceError =>
  new OrderServiceError('unreachable', 'the request could not be signed in time', {
    isOwn: true,
    cause,
  });
const gone = (): OrderServiceError =>
  new OrderServiceError('unreachable', 'the caller left before it was sent', { isOwn: true });
const unanswered = (cause: Error): OrderServiceError =>
  new OrderServiceError('outcome_unknown', 'no answer in time', { cause });

/**
 * Ends a `send` or a signature at its deadline, or when the caller's signal aborts. `send` then
 * says at once whether anything was written; one that ignores its signal does not hold the caller
 * longer. The timer ends with the answer: that of `AbortSignal.timeout` would keep the request in
 * memory until the deadline.
 *
 * @param late the error of work that does not end by itself
 */
async function withinTime<T>(
  ms: number,
  caller: AbortSignal | undefined,
  late: (cause: Error) => OrderServiceError,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  let end = (_name: 'AbortError' | 'TimeoutError'): void => {};
  const silent = new Promise<never>((_, reject) => {
    end = (name) => {
      clearTimeout(timer);
      // The caller's own reason may be the error of another call, which was not sent, and would be
      // read as the error of this call.
      const cause = new DOMException('The operation was ended before its answer', name);
      ended.abort(cause);
      timer = setTimeout(() => reject(late(cause)), 0);
    };
  });
  timer = setTimeout(() => end('TimeoutError'), ms);
  const forget = caller && onAbort(caller, () => end('AbortError'));
  try {
    return await Promise.race([work(ended.signal), silent]);
  } catch (error) {
    throw error instanceof OrderServiceError
      ? error
      : new OrderServiceError('outcome_unknown', 'no complete answer', { cause: error });
  } finally {
    clearTimeout(timer);
    forget?.();
  }
}
