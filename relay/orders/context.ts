/** What every part of the relay is given; nothing here is read from the surroundings. */
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OrderService } from '../order-service/client.js';
import type { Breaker } from './breaker.js';
import type { Capabilities } from './capabilities.js';

/** Milliseconds since the epoch, and a sleep that ends early, without an error, when its signal aborts. */
export type Clock = { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };

/** One line per event; never personal data, never a credential. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  event: string,
  fields?: Record<string, unknown>,
) => void;

/** Figures for the operator; names are those of the metrics endpoint without their prefix. */
export type Metrics = {
  /** A counter, or a gauge that goes up and down. */
  add(
    name:
      | 'orders'
      | 'doorbells'
      | 'requests'
      | 'unmapped_statuses'
      | 'shop_events'
      | 'waiting_checkouts',
    by: number,
    labels?: Record<string, string>,
  ): void;
  /** Seconds. */
  observe(
    name: 'upstream_seconds' | 'request_seconds',
    seconds: number,
    labels: Record<string, string>,
  ): void;
};

export const noMetrics: Metrics = { add: () => {}, observe: () => {} };

export type Context = {
  readonly config: Config;
  readonly ledger: Ledger;
  /** Behind the breaker. */
  readonly service: OrderService;
  readonly breaker: Breaker;
  readonly capabilities: Capabilities;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
};
