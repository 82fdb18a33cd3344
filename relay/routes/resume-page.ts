/**
 * GET /r: the page that a link to another device opens. It has no script but the element's, so that
 * none of the shop's scripts can read the order's key in the address.
 */
import type { Context as HonoContext } from 'hono';
import { html } from 'hono/html';
import type { RouteDeps } from './mount.js';
import { languageOf, pageHeaders } from './own-page.js';

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
      pageHeaders(config.shop),
    );
