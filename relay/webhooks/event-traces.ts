/**
 * Remembers which request caused an event of the shop, so that its delivery carries the same
 * `traceparent`. Only this process's memory has it: an event that another relay delivers, or that
 * is delivered after a restart, has none.
 */
import type { Trace } from '../contract/trace.js';

/** Above this number the oldest are forgotten. */
const MAX_EVENTS = 1000;

export type EventTraces = {
  keep(eventId: string, trace: Trace): void;
  of(eventId: string): Trace | undefined;
};

export function createEventTraces(): EventTraces {
  // a map keeps the order of insertion
  const traces = new Map<string, Trace>();
  return {
    keep: (eventId, trace) => {
      traces.set(eventId, trace);
      for (const oldest of traces.keys()) {
        if (traces.size <= MAX_EVENTS) return;
        traces.delete(oldest);
      }
    },
    of: (eventId) => traces.get(eventId),
  };
}
