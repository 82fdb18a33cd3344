/** The types of what a runtime gives the relay: a clock, a log, metrics and fetch. */

export type Clock = {
  /** Wall-clock time in milliseconds since the epoch. It may step forward and back. */
  now(): number;
  /** Milliseconds since an unspecified moment. It never goes back. */
  elapsed(): number;
  /** Resolves early, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `work` later. Thousands of waiting pages need less memory for it than for `sleep`.
   *
   * @returns a function that cancels the call
   */
  after(ms: number, work: () => void): () => void;
};

/** A caller's clock, which may leave out the functions that can be derived. */
export type GivenClock = Omit<Clock, 'elapsed' | 'after'> & Partial<Clock>;

/**
 * Calls `work` when the customer of a request leaves, or at once if the customer has left before.
 *
 * @returns a function that ends the subscription
 */
export type OnGone = (work: () => void) => () => void;

/**
 * Calls `work` when the signal aborts, or at once if it has aborted before.
 *
 * @returns a function that ends the subscription
 */
export function onAbort(signal: AbortSignal, work: () => void): () => void {
  if (signal.aborted) work();
  signal.addEventListener('abort', work, { once: true });
  return () => signal.removeEventListener('abort', work);
}

/** Names that every log line sets itself; a field with such a name would replace its value. */
type LineNames = { level?: never; time?: never; event?: never };

/**
 * A line about an order or an event names its intent too, since the shop knows only that number;
 * null when the relay cannot know it.
 */
type LineIntent = { request_id?: never; event_id?: never } | { readonly intent_id: string | null };

/** Writes one line per event. No field may hold personal data or a credential. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  event: string,
  fields?: Record<string, unknown> & LineNames & LineIntent,
) => void;

/** Metrics for the operator, by their names at /metrics without prefix and suffix. */
export type Metrics = {
  /** Changes a counter, or the gauge `waiting_checkouts`, which may go down. */
  add(
    name:
      | 'orders'
      | 'pay_backs'
      | 'reviews'
      | 'webhook_signals'
      | 'requests'
      | 'unmapped_statuses'
      | 'shop_events'
      | 'service_refusals'
      | 'service_early_ends'
      | 'waiting_checkouts',
    by: number,
    labels?: Record<string, string>,
  ): void;
  /** Adds a duration to a histogram. */
  observe(
    name: 'upstream_seconds' | 'request_seconds',
    seconds: number,
    labels: Record<string, string>,
  ): void;
};

/**
 * Tells the other relays of the ledger that orders changed, so that they read it sooner. A hint may
 * be lost: the relays also read the ledger at each tick.
 */
export type Hints = {
  send(): void;
  /** Sets the listener that each hint of another relay calls. */
  receive(listener: () => void): void;
  close(): Promise<void>;
};

/** For a relay that shares its ledger with no other relay. */
export const noHints: Hints = { send: () => {}, receive: () => {}, close: async () => {} };

/** Metrics that are not kept. */
export const noMetrics: Metrics = { add: () => {}, observe: () => {} };

/** The part of `fetch` that the relay uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The clock of the runtime. */
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
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Adds what a caller's clock leaves out. */
export const completeClock = (given: GivenClock): Clock => ({
  elapsed: systemClock.elapsed,
  after: (ms, work) => {
    const cancelled = new AbortController();
    void given.sleep(ms, cancelled.signal).then(() => {
      if (!cancelled.signal.aborted) work();
    });
    return () => cancelled.abort('cancelled');
  },
  ...given,
});
