/**
 * The relay's own pages: the element, which is their only script, under a strict policy. Inside its
 * tag stands what a customer reads until it runs, or when it cannot: without it the page of a
 * browser that blocks scripts would be blank.
 */
import type { Context as HonoContext } from 'hono';
import { html } from 'hono/html';
import type { Config } from '../config/schema.js';
import { localeOf } from '../contract/locales.js';
import { moneyText } from '../contract/money-text.js';
import { endWithFailure } from '../http/errors.js';
import { pageHeaders } from '../http/page-headers.js';
import { checkRate } from '../http/rate.js';
import { beginRequest } from '../http/request-log.js';
import { asLedgerFailure } from '../orders/place-failures.js';
import { findPayLink, isLinkOver, type PayLink } from '../pay-links/pay-link.js';
import { qrSvg } from '../pay-links/qr-svg.js';
import { textsAsset, type Assets } from './assets.js';
import type { Bindings, RouteDeps } from './mount.js';

/** Equal to the element's English texts: the page of a relay whose element was not built. */
export const ENGLISH = {
  problem_reload: 'Please reload the page. If that does not help, contact the shop.',
  needs_script: 'This page needs JavaScript. Switch it on, or contact the shop.',
  problem_rate: 'Too many attempts. Please try again later.',
  support: 'Contact the shop',
  title_link: 'This link does not work',
  problem_link: 'Open the newest message from the shop, or contact the shop.',
};

type PageTexts = Readonly<Record<keyof typeof ENGLISH, string>>;

/**
 * @param assets has the element's texts, by language
 * @returns the texts in the language or a relative of it, else in English
 */
export function pageTexts(assets: Assets, language: string): PageTexts {
  const asset = textsAsset(assets, language);
  if (!asset) return ENGLISH;
  return {
    ...ENGLISH,
    ...(JSON.parse(new TextDecoder().decode(asset.body)) as Partial<PageTexts>),
  };
}

type Markup = ReturnType<typeof html>;

type OwnPage = {
  readonly config: Config;
  readonly assets: Assets;
  readonly status: number;
  /** Sent too; the page's own headers replace those of the same name. */
  readonly headers?: Record<string, string>;
  /** Where the relay's files are: a proxy may have removed the path of public_url. */
  readonly base: '.' | '..';
  readonly title: string;
  readonly head?: Markup | '';
  readonly token?: string;
  /** What the page asks to pay for. */
  readonly purchase?: { amount: string; currency: string; product_name: string };
};

async function ownPage(c: HonoContext, page: OwnPage): Promise<Response> {
  const { assets, base, config, head = '', purchase, status, title, token } = page;
  const { shop } = config;
  const language = languageOf(c.req.header('accept-language'));
  const texts = pageTexts(assets, language);
  const support = shop.support_url;
  const help =
    support === undefined ? '' : html`<a class="button" href="${support}">${texts.support}</a>`;
  const content = await html`<!doctype html>
      <html lang="${language}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <title>${title}</title>
          ${head}
          <link rel="stylesheet" href="${base}/pay-link.css" />
          <script src="${base}/pay-checkout.js" defer></script>
        </head>
        <body>
          <header>${shop.name}</header>
          <pay-checkout${attribute('order-token', token)}${attribute('support-url', support)}>
            <main dir="auto">
              ${purchase ? describe(purchase, language) : ''}
              ${
                status === 404 || status === 410
                  ? html`<h1>${texts.title_link}</h1>
                      <p>${texts.problem_link}</p>
                      ${help}`
                  : html`<noscript><p>${texts.needs_script}</p></noscript>
                      <div class="help">
                        <p>${texts[status === 429 ? 'problem_rate' : 'problem_reload']}</p>
                        ${help}
                      </div>`
              }
            </main>
          </pay-checkout>
        </body>
      </html>`;
  const headers = { ...page.headers, ...ownHeaders(shop) };
  return new Response(content.toString(), { status, headers });
}

const attribute = (name: string, value: string | undefined): Markup | '' =>
  value === undefined ? '' : html` ${name}="${value}"`;

const describe = (
  { amount, currency, product_name }: NonNullable<OwnPage['purchase']>,
  language: string,
): Markup =>
  html`<h1>${moneyText(amount, currency, language)}</h1>
    <p>${product_name}</p>`;

const ownHeaders = ({ image_hosts }: Config['shop']): Record<string, string> => ({
  ...pageHeaders(image_hosts.map((host) => `https://${host}`)),
  'content-type': 'text/html; charset=utf-8',
  'x-robots-tag': 'noindex',
  vary: 'accept-language',
});

/** Longer headers only cost time: each further part of a tag is compared with all languages. */
const MAX_ACCEPTED = 200;

/**
 * The page's language, which the element uses too: the first one that the browser accepts and that
 * has texts.
 */
function languageOf(accepted = ''): string {
  const tags = accepted
    .slice(0, MAX_ACCEPTED)
    .split(',')
    .map((each) => /^\s*([a-z\d-]+)/i.exec(each)?.[1] ?? '');
  const tag = tags.find((each) => /^en\b/i.test(each) || localeOf(each) !== 'en') ?? 'en';
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? tag;
  } catch {
    // some apps make up tags such as en-us-oem, which `Intl` refuses
    return tag.replace(/-.*/, '');
  }
}

export const resumePage =
  ({ context: { config } }: RouteDeps, assets: Assets) =>
  (c: HonoContext): Response | Promise<Response> =>
    ownPage(c, { assets, base: '.', config, status: 200, title: config.shop.name });

/**
 * An invalid link and a failure get the page too: the element explains them in the customer's
 * language, and JSON would tell the customer nothing.
 */
export const payLinkPage =
  (deps: RouteDeps, assets: Assets) =>
  async (c: HonoContext): Promise<Response> => {
    const { config, ledgerClock } = deps.context;
    const token = c.req.param('token') ?? '';
    const page = { assets, base: '..', config, title: config.shop.name, token } as const;
    let link: PayLink | null;
    try {
      link = await find(deps, c, token);
    } catch (error) {
      const { headers, status } = endWithFailure(beginRequest(deps.context, '/p/:token'), error);
      return ownPage(c, { ...page, headers, status });
    }
    const opened = link && !isLinkOver(link.row, ledgerClock.latestNow()) ? link : null;
    const openedStatus = opened ? 200 : 410;
    return ownPage(c, {
      ...page,
      status: link ? openedStatus : 404,
      ...(opened && {
        title: `${opened.terms.product_name} – ${config.shop.name}`,
        head: previewOf(config, opened, token),
        purchase: opened.terms,
      }),
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
