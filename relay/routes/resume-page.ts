/**
 * GET /r: the page that a link to another device opens. It has no script but the element's, so that
 * none of the shop's scripts can read the order's key in the address.
 */
import type { Context as HonoContext } from 'hono';
import type { Assets } from './assets.js';
import type { RouteDeps } from './mount.js';
import { ownPage } from './own-page.js';

export const resumePage =
  ({ context: { config } }: RouteDeps, assets: Assets) =>
  (c: HonoContext): Response | Promise<Response> =>
    ownPage(c, { assets, base: '.', config, status: 200, title: config.shop.name });
