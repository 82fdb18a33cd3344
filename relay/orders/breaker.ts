/** A circuit breaker before the order service: when it is down nothing is sent but one probe a second, and nothing is written. */
import type { OrderService } from '../order-service/client.js';
import { OrderServiceError } from '../order-service/errors.js';

/** Calls in a row without any answer of the service. */
const TRIPS_AT = 5;
const PROBE_EVERY_MS = 1000;

export type Breaker = {
  /** The service; while the breaker is open every operation throws `unreachable` and sends nothing. */
  readonly service: OrderService;
  isOpen(): boolean;
  /** While open, asks the service once a second; any answer closes the breaker. */
  probe(): Promise<void>;
};

/** An answer in any form but a gateway's says that the service is there. */
const isSilence = (error: unknown): boolean =>
  error instanceof OrderServiceError && (error.kind === 'unreachable' || error.kind === 'outcome_unknown' || error.kind === 'unreadable');

export function createBreaker(service: OrderService, clock: { now(): number }, log: (open: boolean) => void = () => {}): Breaker {
  let silent = 0;
  let probedAt = 0;
  const isOpen = (): boolean => silent >= TRIPS_AT;

  const watch = async <T>(work: Promise<T>): Promise<T> => {
    const was = isOpen();
    try {
      const result = await work;
      silent = 0;
      return result;
    } catch (error) {
      silent = isSilence(error) ? silent + 1 : 0;
      if (isOpen() && !was) probedAt = clock.now();
      throw error;
    } finally {
      if (isOpen() !== was) log(isOpen());
    }
  };
  const guard =
    <A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      isOpen() ? Promise.reject(new OrderServiceError('unreachable', 'the circuit breaker is open')) : watch(operation(...args));

  return {
    isOpen,
    service: {
      depositAddress: guard(service.depositAddress),
      query: guard(service.query),
      withdraw: guard(service.withdraw),
      verifyDepositAddress: guard(service.verifyDepositAddress),
      pay: guard(service.pay),
      payout: guard(service.payout),
    },
    probe: async () => {
      if (!isOpen() || clock.now() - probedAt < PROBE_EVERY_MS) return;
      probedAt = clock.now();
      // an order that nobody has: a refusal shows as well as a result that the service is there
      await watch(service.query({ request_id: 'pay-checkout-probe' })).catch(() => {});
    },
  };
}
