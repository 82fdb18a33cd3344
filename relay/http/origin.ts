/**
 * The origin gate: a page of another site gets nothing.
 *
 * A request without Origin passes: no browser sends a JSON POST without one, and outside a browser
 * the header proves nothing.
 */
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';

export function checkOrigin(config: Config, request: Request): void {
  const origin = request.headers.get('origin');
  if (origin !== null && !isOurs(config, origin))
    throw new Failure('origin_refused', 'the page’s origin is not in shop.origins');
}

/** Headers that let the shop's pages, and no others, read an answer. */
export function corsHeaders(config: Config, request: Request): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null || !isOurs(config, origin)) return { vary: 'origin' };
  return { vary: 'origin', 'access-control-allow-origin': origin };
}

export const preflightHeaders = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '7200',
};

const isOurs = (config: Config, origin: string): boolean =>
  config.shop.origins.includes(origin) || origin === new URL(config.public_url).origin;
