/**
 * The relay's own pages: the element, which is their only script, under a strict policy. Inside its
 * tag stands what a customer reads until it runs, or when it cannot: without it the page of a
 * browser that blocks scripts would be blank.
 */
import type { Context as HonoContext } from 'hono';
import { html } from 'hono/html';
import type { Config } from '../config/schema.js';
import { moneyText } from '../contract/money-text.js';
import type { Assets } from './assets.js';
import { pageTexts } from './page-texts.js';

type Markup = ReturnType<typeof html>;

export type OwnPage = {
  readonly config: Config;
  readonly assets: Assets;
  readonly status: 200 | 404 | 410;
  /** Where the relay's files are: a proxy may have removed the path of public_url. */
  readonly base: '.' | '..';
  readonly title: string;
  readonly head?: Markup | '';
  readonly token?: string;
  /** What the page asks to pay for; null on a page whose link does not work. */
  readonly purchase?: { amount: string; currency: string; product_name: string } | null;
};

export function ownPage(c: HonoContext, page: OwnPage): Response | Promise<Response> {
  const { assets, base, config, head = '', purchase, status, title, token } = page;
  const { shop } = config;
  const language = languageOf(c.req.header('accept-language'));
  const texts = pageTexts(assets, language);
  const support = shop.support_url;
  const help =
    support === undefined
      ? ''
      : html`<p><a class="button" href="${support}">${texts.support}</a></p>`;
  return c.html(
    html`<!doctype html>
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
                purchase === null
                  ? html`<h1>${texts.title_link}</h1>
                      <p>${texts.problem_link}</p>
                      ${help}`
                  : html`<div class="help">
                      <p>${texts.problem_reload}</p>
                      ${help}
                    </div>`
              }
            </main>
          </pay-checkout>
        </body>
      </html>`,
    status,
    pageHeaders(shop),
  );
}

const attribute = (name: string, value: string | undefined): Markup | '' =>
  value === undefined ? '' : html` ${name}="${value}"`;

const describe = (
  { amount, currency, product_name }: NonNullable<OwnPage['purchase']>,
  language: string,
): Markup =>
  html`<h1>${moneyText(amount, currency, language)}</h1>
    <p>${product_name}</p>`;

const pageHeaders = ({ image_hosts }: Config['shop']): Record<string, string> => ({
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
const languageOf = (accepted = ''): string =>
  /^\s*([a-z]{2,3}(-[a-z\d]{2,8})*)/i.exec(accepted)?.[1] ?? 'en';
