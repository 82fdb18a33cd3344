/**
 * GET /p/<token>: the page of a pay link, with the element as its only script. Looking at it writes
 * nothing: mail programs and chats open every link to show a preview.
 */
import type { Context as HonoContext } from 'hono';
import { html } from 'hono/html';
import type { Config } from '../config/schema.js';
import { checkRate } from '../http/rate.js';
import { asLedgerFailure } from '../orders/place-failures.js';
import { findPayLink, isOver, type PayLink } from '../pay-links/pay-link.js';
import { qrSvg } from '../pay-links/qr-svg.js';
import type { Assets } from './assets.js';
import type { Bindings, RouteDeps } from './mount.js';
import { ownPage } from './own-page.js';

/** An invalid link gets the page too: the element explains it in the customer's language. */
export const payLinkPage =
  (deps: RouteDeps, assets: Assets) =>
  async (c: HonoContext): Promise<Response> => {
    const { config, ledgerClock } = deps.context;
    const token = c.req.param('token') ?? '';
    const link = await find(deps, c, token);
    const isOpen = link !== null && !isOver(link.row, ledgerClock.now());
    const openedStatus = isOpen ? 200 : 410;
    return ownPage(c, {
      assets,
      base: '..',
      config,
      status: link ? openedStatus : 404,
      title: isOpen ? `${link.terms.product_name} – ${config.shop.name}` : config.shop.name,
      token,
      ...(isOpen && { head: previewOf(config, link, token), purchase: link.terms }),
      ...(!link && { purchase: null }),
    });
  };

/** GET /p/<token>/qr.svg: the QR code of the link. */
export const payLinkQr =
  (deps: RouteDeps) =>
  async (c: HonoContext): Promise<Response> => {
    const token = c.req.param('token') ?? '';
    if (!(await find(deps, c, token))) return c.notFound();
    return c.body(qrSvg(addressOf(deps.context.config, token)), 200, {
      'content-type': 'image/svg+xml',
      'cache-control': 'private, max-age=3600',
      'content-security-policy': "default-src 'none'",
      // a shop shows it in its own pages and mails
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
  };

const addressOf = ({ public_url }: Config, token: string): string => `${public_url}/p/${token}`;

async function find(
  { context, limiter }: RouteDeps,
  c: HonoContext,
  token: string,
): Promise<PayLink | null> {
  // limited by address, so that nobody can guess tokens fast
  await checkRate(limiter, 'ip', (c.env as Bindings | undefined)?.address);
  return findPayLink(context.ledger, token).catch((error: unknown) => {
    throw asLedgerFailure(error);
  });
}

/** The tags that mail programs and chats read for a preview of the link. */
const previewOf = (
  config: Config,
  { terms }: PayLink,
  token: string,
): ReturnType<typeof html> => html`
  <meta name="description" content="${terms.amount} ${terms.currency}" />
  <meta property="og:type" content="website" />
  <meta property="og:site_name" content="${config.shop.name}" />
  <meta property="og:title" content="${terms.product_name}" />
  <meta property="og:description" content="${terms.amount} ${terms.currency}" />
  <meta property="og:url" content="${addressOf(config, token)}" />
  ${
    config.shop.logo_url === undefined
      ? ''
      : html`<meta property="og:image" content="${config.shop.logo_url}" />`
  }
`;
