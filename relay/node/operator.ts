/** Serves metrics on the operator's own port, behind the operator's key. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Relay } from '../app.js';
import type { Secret } from '../config/secrets.js';
import { clientAddress } from '../http/client-address.js';
import { nodeClock } from './clock.js';
import type { MetricsPage } from './metrics.js';
import { createUseCounter } from './use-counter.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Wrong keys that one address may try; further keys are not compared. */
const MAX_WRONG_KEYS_PER_MINUTE = 5;
const MINUTE_MS = 60_000;

/**
 * `Authorization: Bearer <operator.key>`.
 *
 * Wrong keys are counted for each address, so that an attacker blocks only that address. A request
 * without a key is not counted.
 */
export function operatorPages(
  relay: Pick<Relay, 'gauges'>,
  metrics: MetricsPage,
  key: Secret,
  elapsed: () => number = nodeClock.elapsed,
): (request: Request, peer: { remoteAddress?: string | undefined }) => Promise<Response> {
  const expected = digest(key.reveal());
  const wrongKeys = createUseCounter(MINUTE_MS, elapsed);
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  const refused = (status: 401 | 429, why: string, more: Record<string, string>): Response =>
    new Response(`${why}\n`, { status, headers: { ...headers, ...more } });

  return async (request, { remoteAddress = '' }) => {
    const address = clientAddress(remoteAddress, null, 0);
    if (wrongKeys.count(address) >= MAX_WRONG_KEYS_PER_MINUTE)
      return refused(429, 'too many wrong keys; ask again in a minute', { 'retry-after': '60' });
    const bearerKey = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (bearerKey === undefined || !timingSafeEqual(digest(bearerKey), expected)) {
      if (bearerKey !== undefined) wrongKeys.add(address);
      return refused(401, 'the operator key is missing or wrong', { 'www-authenticate': 'Bearer' });
    }
    if (new URL(request.url).pathname !== '/metrics')
      return new Response('no such page\n', { status: 404, headers });
    return new Response(await metrics.page(await relay.gauges()), {
      headers: { ...headers, 'content-type': metrics.type },
    });
  };
}
