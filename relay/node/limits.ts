/** Rate limits in this process's memory; relays on one ledger count separately. */
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Config } from '../config/schema.js';
import { clientAddress } from '../http/client-address.js';
import type { Bucket, Limiter } from '../http/rate.js';

export function memoryLimiter({ limits }: Config): Limiter {
  const perMinute = (points: number): RateLimiterMemory =>
    new RateLimiterMemory({ points, duration: 60 });
  const perHour = (points: number): RateLimiterMemory =>
    new RateLimiterMemory({ points, duration: 3600 });
  const buckets: Record<Bucket, RateLimiterMemory> = {
    ip: perMinute(limits.per_ip_per_minute),
    intent: perMinute(limits.per_intent_per_minute),
    deposit: perMinute(limits.deposit_addresses_per_minute),
    new_intent: perHour(limits.new_intents_per_ip_per_hour),
  };
  return (bucket, key) =>
    buckets[bucket].consume(key).then(
      () => true,
      () => false,
    );
}

/**
 * Returns no address behind a local proxy that `trusted_hops` does not count: all customers would
 * share its limit.
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
  return limits.trusted_hops === 0 && (address.startsWith('127.') || address === '0:0:0:0::/64')
    ? {}
    : { address };
}
