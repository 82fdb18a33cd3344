/**
 * Counts the signals of an order until its next query, which writes them to the ledger in the
 * statement that takes its slot. So a signal costs no write of its own, and a flood of signals as
 * few writes as queries. What a process has not written when it ends is not counted.
 */
import { withSignals, type Signals } from '../ledger/signals.js';

/** Above this number of orders the oldest are forgotten. */
const MAX_ORDERS = 10_000;

export type SignalCounts = {
  add(requestId: string, signals: Signals): void;
  /** Removes the signals that were not written yet; null when there are none. */
  take(requestId: string): Signals | null;
};

export function createSignalCounts(): SignalCounts {
  // a map keeps the order of insertion
  const waiting = new Map<string, Signals>();
  return {
    add: (requestId, signals) => {
      waiting.set(requestId, withSignals(waiting.get(requestId) ?? null, signals));
      for (const oldest of waiting.keys()) {
        if (waiting.size <= MAX_ORDERS) return;
        waiting.delete(oldest);
      }
    },
    take: (requestId) => {
      const taken = waiting.get(requestId) ?? null;
      waiting.delete(requestId);
      return taken;
    },
  };
}
