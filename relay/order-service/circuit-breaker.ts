/**
 * A circuit breaker for calls of the order service. While it is open, the relay sends one probe a
 * second and nothing else, and writes nothing to the ledger. The first probe is sent as it opens,
 * unless a probe was answered shortly before.
 *
 * This is our own code, because opossum and cockatiel use a caller's next call as the probe, which
 * could be the pay of a customer.
 */
import type { IsLate, OrderService } from './client.js';
import { OrderServiceError } from './errors.js';
import type { Clock } from '../runtime.js';

/** A `request_id` in the relay's form that no order has, for a query that needs any answer. */
export const unknownRequestId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 26);

/** Consecutive calls without an answer of the service that open the breaker. */
const SILENT_CALLS_TO_OPEN = 5;
/**
 * Concurrent calls that open the breaker when each has run for `HANGING_MS` and no call was
 * answered in that time. A service that is only slow answers some of them.
 */
const HANGING_CALLS_TO_OPEN = 30;
const HANGING_MS = 1000;
const PROBE_EVERY_MS = 1000;
/** A breaker that opens this soon after an answered probe stays open until the next probe. */
const REOPENED_WITHIN_MS = 10_000;
/** Longest wait for a free connection. */
const MAX_QUEUE_MS = 1000;

export type CircuitBreaker = {
  /** The service. While the breaker is open, an operation throws `unreachable`, unsent. */
  readonly service: OrderService;
  isOpen(): boolean;
  /** While the breaker is open, queries the service at most once a second; any answer closes it. */
  probe(): Promise<void>;
};

/**
 * What a failed call shows about the service. An answer in the service's own form shows that it is
 * up. An answer below 500 in another form may come from a firewall, so it shows nothing, and no
 * more does a request that the relay itself did not send, such as one without a signature.
 */
function evidenceOf(error: unknown): 'answered' | 'silent' | 'none' {
  if (!(error instanceof OrderServiceError) || error.isOwn) return 'none';
  if (error.kind === 'invalid_request') return 'none';
  if (error.enveloped) return 'answered';
  return (error.httpStatus ?? 500) < 500 ? 'none' : 'silent';
}

const unsent = (why: string): OrderServiceError =>
  new OrderServiceError('unreachable', why, { isOwn: true });

/** `error`: what the call threw; null for a result. */
type Observe = (operation: string, result: string, seconds: number, error: unknown) => void;
type CircuitBreakerDeps = {
  clock: Clock;
  /** Further calls wait before they send anything. */
  maxConcurrent: number;
  log?: (open: boolean) => void;
  observe?: Observe;
};

export function createCircuitBreaker(
  service: OrderService,
  { clock, maxConcurrent, log = () => {}, observe = () => {} }: CircuitBreakerDeps,
): CircuitBreaker {
  const now = clock.elapsed;
  let silentCalls = 0;
  let answeredAt = now();
  let probedAt = -Infinity;
  let probeAnsweredAt = -Infinity;
  let wasOpen = false;
  /** The start of each call under way, the oldest first. */
  const underWay = new Map<symbol, number>();
  /** Connections that wait for the claims of prepared pays. */
  let held = 0;
  const waiting = new Set<() => void>();

  const hanging = (): boolean => {
    if (underWay.size < HANGING_CALLS_TO_OPEN || now() - answeredAt < HANGING_MS) return false;
    let count = 0;
    for (const began of underWay.values())
      if (now() - began < HANGING_MS || ++count === HANGING_CALLS_TO_OPEN) break;
    return count === HANGING_CALLS_TO_OPEN;
  };
  const isOpen = (): boolean => {
    if (silentCalls < SILENT_CALLS_TO_OPEN && hanging()) silentCalls = SILENT_CALLS_TO_OPEN;
    const open = silentCalls >= SILENT_CALLS_TO_OPEN;
    if (open !== wasOpen) {
      wasOpen = open;
      log(open);
      // wake the calls that wait for a connection, so that they fail without delay
      for (const wake of open ? [...waiting] : []) wake();
      // The probe is sent at once, so that somebody whose own orders make the service fail does not
      // stop all other orders. When the breaker opens again soon after an answered probe, more than
      // a few orders fail, and the next probe comes in a second.
      if (open && now() - probeAnsweredAt >= REOPENED_WITHIN_MS) void probe();
      else if (open) probedAt = now();
    }
    return open;
  };

  const wakeFirst = (): void => {
    const [wake] = waiting;
    wake?.();
  };
  const watch = async <T>(operation: string, work: () => Promise<T>): Promise<T> => {
    const call = Symbol(operation);
    const began = now();
    underWay.set(call, began);
    let result = 'ok';
    let evidence: ReturnType<typeof evidenceOf> = 'answered';
    let thrown: unknown = null;
    try {
      return await work();
    } catch (error) {
      thrown = error;
      result = error instanceof OrderServiceError ? error.kind : 'failed';
      evidence = evidenceOf(error);
      throw error;
    } finally {
      underWay.delete(call);
      // one call has ended, so one waiting call may start
      wakeFirst();
      if (evidence === 'silent') silentCalls++;
      if (evidence === 'answered') {
        silentCalls = 0;
        answeredAt = now();
        if (operation === 'probe') probeAnsweredAt = now();
      }
      isOpen();
      observe(operation, result, (now() - began) / 1000, thrown);
    }
  };
  const isFull = (): boolean => underWay.size + held >= maxConcurrent;
  /** @throws OrderServiceError `unreachable` when nothing was sent */
  const waitForConnection = async (): Promise<void> => {
    const until = now() + MAX_QUEUE_MS;
    while (!isOpen() && isFull() && now() < until) {
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          cancel();
          resolve();
        };
        const cancel = clock.after(until - now(), wake);
        waiting.add(wake);
      });
    }
    if (isOpen()) throw unsent('the circuit breaker is open');
    if (isFull()) throw unsent('no connection became free');
  };

  const guard =
    <A extends unknown[], R>(name: string, operation: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (isOpen() || isFull()) await waitForConnection();
      return watch(name, () => operation(...args));
    };

  const probe = async (): Promise<void> => {
    if (!isOpen() || now() - probedAt < PROBE_EVERY_MS) return;
    probedAt = now();
    // no such order exists; a refusal shows that the service is up, just as a result does
    await watch('probe', () => service.query({ request_id: unknownRequestId() })).catch(() => {});
  };

  return {
    isOpen,
    probe,
    service: {
      depositAddress: guard('deposit_address', service.depositAddress),
      query: guard('query', service.query),
      queryOrder: guard('query', service.queryOrder),
      withdraw: guard('withdraw', service.withdraw),
      verifyDepositAddress: guard('verify_deposit_address', service.verifyDepositAddress),
      pay: guard('pay', service.pay),
      payout: guard('payout', service.payout),
      preparePay: async (request, trace) => {
        if (isOpen() || isFull()) await waitForConnection();
        held++;
        let isHeld = true;
        const release = (): void => {
          held -= Number(isHeld);
          isHeld = false;
        };
        const drop = (): void => {
          release();
          wakeFirst();
        };
        try {
          const { send } = await service.preparePay(request, trace);
          // the call counts from here: a slow claim shows nothing about the service
          const sendNow = (isLate: IsLate) => (release(), watch('pay', () => send(isLate)));
          return { send: sendNow, drop };
        } catch (error) {
          drop();
          throw error;
        }
      },
    },
  };
}
