/**
 * What the relay's own pages have in common: a strict content security policy, and no script but
 * the element's.
 */
import type { Config } from '../config/schema.js';

export const pageHeaders = ({ image_hosts }: Config['shop']): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    ["img-src 'self'", ...image_hosts.map((host) => `https://${host}`)].join(' '),
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
});

/** The page's language, which the element uses too: the first one that the browser accepts. */
export const languageOf = (accepted = ''): string =>
  /^\s*([a-z]{2,3}(-[a-z\d]{2,8})*)/i.exec(accepted)?.[1] ?? 'en';
