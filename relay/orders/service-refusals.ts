/**
 * Tells an order service that refuses the relay, for example because its key is wrong, from one
 * that refuses a single order.
 */
import type { Config } from '../config/schema.js';
import { isOfCredential, OrderServiceError } from '../order-service/errors.js';
import type { Metrics } from '../runtime.js';
import { isNotFound } from './ask-status.js';

/** Refused pays, or requests for an address, in a row; a single one may be the order's fault. */
const REFUSALS_IN_A_ROW = 5;
/** A query is refused when the service does not know the order, so a row says nothing. */
const COUNTED = ['pay', 'deposit_address'];

/** `silent`: the circuit breaker is open; `refuses`: the service refuses the relay itself. */
export type ServiceState = 'ok' | 'silent' | 'refuses';

type ServiceRefusals = {
  /** @param error what a call of the operation threw; null for a result */
  note(operation: string, error: unknown): void;
  /** Whether the service refuses the relay, as far as its latest answers tell. */
  refuses(): boolean;
};

export function createServiceRefusals(config: Config, metrics: Metrics): ServiceRefusals {
  /** Refusals in a row, by operation; 401 and 403 count as a whole row. */
  const inARow = new Map<string, number>();
  return {
    note: (operation, error) => {
      // the service gives a placed order to nobody whom it refuses
      if (error === null && operation === 'pay') return inARow.clear();
      if (error === null) return void inARow.delete(operation);
      if (!(error instanceof OrderServiceError)) return;
      if (isNotFound(config, error)) return void inARow.delete(operation);
      const ofCredential = isOfCredential(error);
      // without an answer of the service nothing is known
      if (!ofCredential && error.kind !== 'refused') return;
      metrics.add('service_refusals', 1, { status: String(error.httpStatus) });
      if (ofCredential) inARow.set(operation, REFUSALS_IN_A_ROW);
      else if (COUNTED.includes(operation)) inARow.set(operation, (inARow.get(operation) ?? 0) + 1);
      else inARow.delete(operation);
    },
    refuses: () => [...inARow.values()].some((refusals) => refusals >= REFUSALS_IN_A_ROW),
  };
}
