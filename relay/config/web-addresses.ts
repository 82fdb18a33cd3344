/** Schemas of the configuration's URLs, and of origins as browsers send them. */
import { z } from 'zod';
import { isLoopback } from './links.js';

function readWebUrl(value: string): URL | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || url.search || url.hash || url.username || url.password) return null;
  const secure =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
  return secure ? url : null;
}

export const webUrl = z
  .string()
  .refine((value) => readWebUrl(value) !== null, {
    error: 'an https URL without query or fragment (http on loopback)',
  })
  .transform((value) => value.replace(/\/+$/, ''));

/** Excludes a wildcard, which the URL parser accepts as a name, and a trailing dot. */
const ORIGIN_HOST = /^([a-z0-9_-]+\.)*[a-z0-9_-]+$|^\[[0-9a-f:]+\]$/;

/**
 * An origin is compared byte by byte with what the browser sends: with another spelling the relay
 * would refuse the shop's own page for no visible reason.
 */
function isOrigin(value: string): boolean {
  const url = readWebUrl(value);
  return url !== null && url.origin === value && ORIGIN_HOST.test(url.hostname);
}

export const origin = z.string().refine(isOrigin, {
  error:
    'an origin as a browser sends it, such as "https://shop.example" (http on loopback): lower ' +
    'case, no path, no wildcard, no user, no dot at the end, no port 443',
});
