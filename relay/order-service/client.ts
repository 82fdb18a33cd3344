/** The typed client of the order service: six operations over one `send`. */
import { firstWrongField } from '../contract/wrong-field.js';
import { onAbort } from '../runtime.js';
import { readEnvelope } from './envelope.js';
import { OrderServiceError } from './errors.js';
import { operations, type DataOf, type OperationName, type RequestOf } from './operations.js';
import { signed, type Sign } from './send/signing.js';

/**
 * Carries one POST to the service and brings its answer back, whatever its status. It writes the
 * request before it awaits anything.
 *
 * @param headers the headers that depend on the request
 * @param mayWrite called last; when it returns false, nothing is written
 * @throws OrderServiceError `unreachable` when no connection was made, else `outcome_unknown`
 */
export type Send = (
  path: string,
  json: string,
  signal: AbortSignal,
  headers?: Record<string, string>,
  mayWrite?: MayWrite,
) => Promise<{ status: number; text: string }>;

/** Called right before the request is written; false when it is too late to write it. */
export type MayWrite = () => boolean;

/** @returns the last check before the write, if one is needed */
export type BeforeWrite = () => Promise<MayWrite | void>;

/**
 * `beforeWrite` is the last thing awaited before the request is written. When it throws, nothing
 * is sent, and the operation throws the same error.
 */
export type OrderService = {
  readonly [N in OperationName]: (
    request: RequestOf<N>,
    signal?: AbortSignal,
    beforeWrite?: BeforeWrite,
  ) => Promise<DataOf<N>>;
};

type OrderServiceOptions = {
  send: Send;
  /** Time limit of one call in milliseconds; by default 10,000. */
  timeoutMs?: number | undefined;
  sign?: Sign | undefined;
};

/**
 * Each operation throws OrderServiceError: `invalid_request`, `refused`, `unreachable`,
 * `unreadable` or `outcome_unknown`.
 */
export function createOrderService({
  send,
  sign,
  timeoutMs = 10_000,
}: OrderServiceOptions): OrderService {
  const operation =
    <N extends OperationName>(name: N) =>
    async (
      request: RequestOf<N>,
      signal?: AbortSignal,
      beforeWrite?: BeforeWrite,
    ): Promise<DataOf<N>> => {
      const { path, data } = operations[name];
      const json = JSON.stringify(checked(name, request));
      const headers = sign ? await signed(sign, { path, json }) : {};
      const mayWrite = (await beforeWrite?.()) ?? undefined;
      const answer = await withinTime(timeoutMs, signal, (abort) =>
        send(path, json, abort, headers, mayWrite),
      );
      return readEnvelope(answer, data) as DataOf<N>;
    };
  return {
    depositAddress: operation('depositAddress'),
    query: operation('query'),
    withdraw: operation('withdraw'),
    verifyDepositAddress: operation('verifyDepositAddress'),
    pay: operation('pay'),
    payout: operation('payout'),
  };
}

/** @throws OrderServiceError `invalid_request` naming the field */
function checked<N extends OperationName>(name: N, request: RequestOf<N>): unknown {
  const body = operations[name].request.safeParse(request);
  if (body.success) return body.data;
  const { field, problem } = firstWrongField(body.error);
  throw new OrderServiceError('invalid_request', `${name}: ${field}: ${problem}`, { field });
}

/**
 * Ends a `send` at its deadline, or when the caller's signal aborts. A `send` that ignores its
 * signal does not hold the caller longer. The timer ends with the answer: that of
 * `AbortSignal.timeout` would keep the request in memory until the deadline.
 */
async function withinTime(
  ms: number,
  caller: AbortSignal | undefined,
  send: (signal: AbortSignal) => ReturnType<Send>,
): ReturnType<Send> {
  const ended = new AbortController();
  let end = (_reason: unknown): void => {};
  const aborted = new Promise<never>((_, reject) => {
    end = (reason) => {
      ended.abort(reason);
      reject(new OrderServiceError('outcome_unknown', 'no answer in time', { cause: reason }));
    };
  });
  const timer = setTimeout(() => end(timedOut()), ms);
  const forget = caller && onAbort(caller, () => end(caller.reason));
  try {
    return await Promise.race([send(ended.signal), aborted]);
  } catch (error) {
    throw error instanceof OrderServiceError
      ? error
      : new OrderServiceError('outcome_unknown', 'no complete answer', { cause: error });
  } finally {
    clearTimeout(timer);
    forget?.();
  }
}

/** What `AbortSignal.timeout` aborts with. */
const timedOut = (): DOMException =>
  new DOMException('The operation was aborted due to timeout', 'TimeoutError');
