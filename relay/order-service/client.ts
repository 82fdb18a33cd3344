/** The typed client of the order service: six operations over one `send`. */
import { readEnvelope } from './envelope.js';
import { OrderServiceError } from './errors.js';
import { operations, type DataOf, type OperationName, type RequestOf } from './operations.js';

/**
 * Carries one POST to the service and brings its answer back, whatever its status.
 * @throws OrderServiceError `unreachable` when no connection came about, `outcome_unknown` otherwise
 */
export type Send = (
  path: string,
  json: string,
  signal: AbortSignal,
) => Promise<{ status: number; text: string }>;

export type OrderService = {
  readonly [N in OperationName]: (
    request: RequestOf<N>,
    signal?: AbortSignal,
  ) => Promise<DataOf<N>>;
};

/**
 * @param timeoutMs bound of one call in milliseconds, default 10,000
 * @returns each operation throws OrderServiceError: `invalid_request`, `refused`, `unreachable`, `unreadable` or `outcome_unknown`
 */
export function createOrderService({
  send,
  timeoutMs = 10_000,
}: {
  send: Send;
  timeoutMs?: number;
}): OrderService {
  async function call<N extends OperationName>(
    name: N,
    request: RequestOf<N>,
    signal?: AbortSignal,
  ): Promise<DataOf<N>> {
    const { path, request: schema, data } = operations[name];
    const body = schema.safeParse(request);
    if (!body.success) {
      const issue = body.error.issues[0];
      const field =
        issue?.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : (issue?.path.join('.') ?? '');
      throw new OrderServiceError(
        'invalid_request',
        `${name}: ${field}: ${issue?.message ?? 'invalid'}`,
        { field },
      );
    }
    const deadline = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const answer = await sendBounded(send, path, JSON.stringify(body.data), either);
    return readEnvelope(answer, data) as DataOf<N>;
  }
  return {
    depositAddress: (request, signal) => call('depositAddress', request, signal),
    query: (request, signal) => call('query', request, signal),
    withdraw: (request, signal) => call('withdraw', request, signal),
    verifyDepositAddress: (request, signal) => call('verifyDepositAddress', request, signal),
    pay: (request, signal) => call('pay', request, signal),
    payout: (request, signal) => call('payout', request, signal),
  };
}

/** A `send` that ignores its signal must not hold the caller longer than the deadline. */
async function sendBounded(
  send: Send,
  path: string,
  json: string,
  signal: AbortSignal,
): ReturnType<Send> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () =>
      reject(
        new OrderServiceError('outcome_unknown', 'no answer in time', { cause: signal.reason }),
      );
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([send(path, json, signal), aborted]);
  } catch (error) {
    throw error instanceof OrderServiceError
      ? error
      : new OrderServiceError('outcome_unknown', 'no whole answer', { cause: error });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
