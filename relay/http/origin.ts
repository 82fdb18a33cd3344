/**
 * Refuses the pages of other sites, by the Origin header.
 *
 * A request without the header passes, except a checkout as `text/plain` (routes/checkout.ts):
 * browsers send it with each JSON POST, and other programs can send any value.
 */
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';

/** @throws Failure `origin_refused` */
export function checkOrigin(config: Config, request: Request): void {
  const origin = request.headers.get('origin');
  if (origin !== null && !isOurs(config, origin))
    throw new Failure('origin_refused', `${shownOrigin(origin)} is not in shop.origins`);
}

/** Another program may send any text as its origin. */
const shownOrigin = (origin: string): string =>
  /^(https?|capacitor|ionic|tauri):\/\/[\w.:[\]-]{1,200}$/.test(origin)
    ? `the page’s origin ${origin}`
    : 'the page’s origin';

/** Headers that let only the shop's pages read an answer. */
export function corsHeaders(config: Config, request: Request): Record<string, string> {
  const origin = request.headers.get('origin');
  return origin !== null && isOurs(config, origin) ? readableBy(origin) : { vary: 'origin' };
}

/** Lets any page read its refusal; otherwise its developer would only see "Failed to fetch". */
export const refusalHeaders = (request: Request): Record<string, string> =>
  readableBy(request.headers.get('origin') ?? '');

/**
 * Headers of the answer to a CORS preflight. It passes for every page: the request that follows is
 * refused with a body that the page can read.
 */
export const preflightHeaders = (request: Request): Record<string, string> => ({
  ...readableBy(request.headers.get('origin') ?? '*'),
  'access-control-allow-methods': 'GET, POST',
  // a page that is traced sends the others too
  'access-control-allow-headers': 'content-type, traceparent, tracestate',
  'access-control-max-age': '7200',
});

const readableBy = (origin: string): Record<string, string> => ({
  vary: 'origin',
  'access-control-allow-origin': origin,
});

const isOurs = (config: Config, origin: string): boolean =>
  config.shop.origins.includes(origin) || origin === new URL(config.public_url).origin;
