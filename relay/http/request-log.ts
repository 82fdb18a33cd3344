/** Measures each request, and gives it a reference that the customer sees too. */
import { paths } from '../contract/paths.js';
import type { Clock, Log, Metrics } from '../runtime.js';

/** Pages send these all the time, and a success says nothing that the metrics do not count. */
const ROUTINE: readonly string[] = [paths.checkout, paths.query];

/**
 * Ends the measurement: writes the metrics, and the log line unless the request is routine.
 *
 * @returns the reference of the request
 */
export type EndRequest = (status: number, fields?: Record<string, unknown>) => string;

export const newReference = (): string => crypto.randomUUID().slice(0, 8);

/** Starts to measure a request. Call the result when the answer is ready. */
export function beginRequest(
  { clock, log, metrics }: { clock: Clock; log: Log; metrics: Metrics },
  path: string,
): EndRequest {
  const reference = newReference();
  const began = clock.elapsed();
  return (status, fields) => {
    const ms = Math.round(clock.elapsed() - began);
    if (status >= 400 || !ROUTINE.includes(path))
      log(status >= 500 ? 'error' : 'info', 'request', { reference, path, status, ms, ...fields });
    metrics.add('requests', 1, { path, status: String(status) });
    metrics.observe('request_seconds', ms / 1000, { path });
    return reference;
  };
}
