/**
 * GET /r: the page that a link to another device opens. It has no script but the element's, so that
 * none of the shop's scripts can read the order's key in the address.
 */
import type { Context as HonoContext } from 'hono';
import { html } from 'hono/html';
import type { Config } from '../config/schema.js';
import type { RouteDeps } from './mount.js';

const headersFor = ({ image_hosts }: Config['shop']): Record<string, string> => ({
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
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
});

/** The script's address is relative, because a proxy may have removed the path of public_url. */
export const resumePage =
  ({ context: { config } }: RouteDeps) =>
  (c: HonoContext): Response | Promise<Response> =>
    c.html(
      html`<!doctype html>
        <html lang="${languageOf(c.req.header('accept-language'))}">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="robots" content="noindex" />
            <meta name="color-scheme" content="light dark" />
            <title>${config.shop.name}</title>
            <script src="./pay-checkout.js" defer></script>
          </head>
          <body>
            <pay-checkout></pay-checkout>
          </body>
        </html>`,
      200,
      headersFor(config.shop),
    );

/** The element takes the language of its page, and this page has only the browser's. */
const languageOf = (accepted = ''): string =>
  /^\s*([a-z]{2,3}(-[a-z\d]{2,8})*)/i.exec(accepted)?.[1] ?? 'en';
