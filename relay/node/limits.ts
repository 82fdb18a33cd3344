/** Rate limits in this process's memory; relays on one ledger count separately. */
import type { Config } from '../config/schema.js';
import { clientAddress, isOwnMachine } from '../http/client-address.js';
import type { Bucket, Limiter } from '../http/rate.js';
import { nodeClock } from './process.js';
import { createUseCounter } from './use-counter.js';
import { HOUR_MS, MINUTE_MS } from '../contract/durations.js';

type Limits = Config['limits'];

/** @param limits read at each use: a reload may change them, and the uses so far still count */
export function memoryLimiter(
  limits: () => Limits,
  elapsed: () => number = nodeClock.elapsed,
): Limiter {
  const limit = (name: keyof Limits, periodMs: number): ((key: string) => boolean) => {
    const uses = createUseCounter(periodMs, elapsed);
    return (key) => uses.add(key) <= limits()[name];
  };
  const buckets: Record<Bucket, (key: string) => boolean> = {
    ip: limit('per_ip_per_minute', MINUTE_MS),
    intent: limit('per_intent_per_minute', MINUTE_MS),
    deposit: limit('deposit_addresses_per_minute', MINUTE_MS),
    new_intent: limit('new_intents_per_ip_per_hour', HOUR_MS),
  };
  return async (bucket, key) => buckets[bucket](key);
}

/**
 * Returns no address behind a local proxy that `trusted_hops` does not count: all customers would
 * share the limit of the proxy's address.
 *
 * @param peer the address of the connection
 */
export function addressOf(
  { limits }: Config,
  request: Request,
  peer: string,
  warn: () => void = () => {},
): { address?: string } {
  if (limits.trusted_hops === 0 && request.headers.has('x-forwarded-for')) warn();
  const address = clientAddress(peer, request.headers.get('x-forwarded-for'), limits.trusted_hops);
  return limits.trusted_hops === 0 && isOwnMachine(address) ? {} : { address };
}
