/** Serves metrics on the operator's own port, behind the operator's key. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Relay } from '../app.js';
import type { Secret } from '../config/secrets.js';
import { clientAddress } from '../http/client-address.js';
import { nodeClock } from './process.js';
import type { MetricsPage } from './metrics.js';
import { createUseCounter } from './use-counter.js';
import { MINUTE_MS } from '../contract/durations.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Wrong keys of one address that are told apart; more of them are answered with 429. */
const MAX_WRONG_KEYS_PER_MINUTE = 5;

/**
 * `Authorization: Bearer <operator.key>`.
 *
 * Wrong keys are counted for each address, so that a log or a dashboard sees a program that tries
 * them. The right key always opens the page. A request without a key is not counted.
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
    const bearerKey = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    // compared first: another program at this address must not keep the operator out
    if (bearerKey === undefined || !timingSafeEqual(digest(bearerKey), expected)) {
      if (wrongKeys.count(address) >= MAX_WRONG_KEYS_PER_MINUTE)
        return refused(429, 'too many wrong keys; ask again in a minute', { 'retry-after': '60' });
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
