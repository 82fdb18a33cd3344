/**
 * What the relay needs of its surroundings: a clock, a log, figures, and fetch. All are injected.
 */

export type Clock = {
  /** Wall time in milliseconds since the epoch. It may step forward and back. */
  now(): number;
  /** Milliseconds since some moment in the past. It never goes back. */
  elapsed(): number;
  /** Ends early, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

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
      | 'webhook_signals'
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

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
