/** What every part of the relay is given; nothing here is read from the surroundings. */
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OrderService } from '../order-service/client.js';
import type { Breaker } from './breaker.js';
import type { Capabilities } from './capabilities.js';

/** Milliseconds since the epoch, and a sleep that ends early, without an error, when its signal aborts. */
export type Clock = { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void> };

/** One line per event; never personal data, never a credential. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: Record<string, unknown>) => void;

export type Context = {
  readonly config: Config;
  readonly ledger: Ledger;
  /** Behind the breaker. */
  readonly service: OrderService;
  readonly breaker: Breaker;
  readonly capabilities: Capabilities;
  readonly clock: Clock;
  readonly log: Log;
};
