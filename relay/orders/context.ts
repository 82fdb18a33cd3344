/** The dependencies of the relay's parts. All are injected; none is read from the environment. */
import type { Config } from '../config/schema.js';
import type { Identity } from '../intent/identity.js';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OrderService } from '../order-service/client.js';
import type { Clock, Log, Metrics } from '../runtime.js';
import type { CircuitBreaker } from '../order-service/circuit-breaker.js';
import type { Capabilities } from './capabilities.js';
import type { SignalCounts } from '../webhooks/signal-counts.js';
import type { Offer } from './option-switches.js';
import type { PlacingLimit } from './placing-limit.js';

export type Context = {
  readonly config: Config;
  readonly ledger: Ledger;
  /** The order service, behind the circuit breaker. */
  readonly service: OrderService;
  readonly breaker: CircuitBreaker;
  readonly capabilities: Capabilities;
  readonly identity: Identity;
  /** Limits how many new orders the ledger works on at once. */
  readonly placingLimit: PlacingLimit;
  /** For times that are measured inside this process. */
  readonly clock: Clock;
  /** For times that are stored in the ledger. */
  readonly ledgerClock: LedgerClock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly signalCounts: SignalCounts;
  /** Which part of its time the process has worked since the last call, from 0 to 1. */
  readonly busy: () => number;
  /** The options that customers may choose at present. */
  readonly offer: () => Offer;
};
