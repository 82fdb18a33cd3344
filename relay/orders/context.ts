/** What every part of the relay is given; nothing here is read from the surroundings. */
import type { Config } from '../config/schema.js';
import type { Identity } from '../intent/identity.js';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OrderService } from '../order-service/client.js';
import type { Clock, Log, Metrics } from '../runtime.js';
import type { CircuitBreaker } from '../order-service/circuit-breaker.js';
import type { Capabilities } from './capabilities.js';

export type Context = {
  readonly config: Config;
  readonly ledger: Ledger;
  /** Behind the breaker. */
  readonly service: OrderService;
  readonly breaker: CircuitBreaker;
  readonly capabilities: Capabilities;
  readonly identity: Identity;
  /** For what is measured inside this process. */
  readonly clock: Clock;
  /** For what is stored. */
  readonly time: LedgerClock;
  readonly log: Log;
  readonly metrics: Metrics;
};
