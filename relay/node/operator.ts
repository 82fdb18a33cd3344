/** The operator's own listener: metrics, behind the operator's key. It is never the shop's port. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Relay } from '../app.js';
import type { Secret } from '../config/secrets.js';
import type { MetricsPage } from './metrics.js';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** `Authorization: Bearer <operator.key>`. */
export function operatorPages(
  relay: Pick<Relay, 'gauges'>,
  figures: MetricsPage,
  key: Secret,
): (request: Request) => Promise<Response> {
  const expected = digest(key.reveal());
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  return async (request) => {
    const given = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(given), expected))
      return new Response('the operator key is missing or wrong\n', {
        status: 401,
        headers: { ...headers, 'www-authenticate': 'Bearer' },
      });
    if (new URL(request.url).pathname !== '/metrics')
      return new Response('no such page\n', { status: 404, headers });
    return new Response(await figures.page(await relay.gauges()), {
      headers: { ...headers, 'content-type': figures.type },
    });
  };
}
