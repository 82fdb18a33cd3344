/** The frame of a page of the site: navigation, search, the page, and its headings. */
import { html, Markup } from '../pages/markup.js';
import { addressOf, BASE, readText, type NavGroup } from './files.js';
import { plainAddressOf } from './plain.js';
import type { Rendered } from './render.js';

/** What a page loads. */
export type Assets = {
  script: string;
  style: string;
  /** Whether the site stands beside the demo shop, to which it then links. */
  shop?: boolean;
  /** Whether the page is a file of a package, with a script that is no module. */
  packed?: boolean;
};
type Titles = (file: string) => string;

const sideBar = (groups: readonly NavGroup[], here: string, titleOf: Titles): Markup => {
  const list = html`${groups.map(
    ({ files, title }) =>
      html`<details ${files.includes(here) && html`open`}>
        <summary>${title}</summary>
        <ul>
          ${files.map(
            (file) =>
              html`<li>
                <a href="${addressOf(file)}" ${file === here && html`aria-current="page"`}
                  >${titleOf(file).replace('Quick start: ', '')}</a
                >
              </li>`,
          )}
        </ul>
      </details>`,
  )}`;
  // the list is on each page, and half of it would be white space
  return new Markup(list.text.replace(/\s+/g, ' '));
};

const contents = ({ headings }: Rendered): Markup | null => {
  const listed = headings.filter(({ level }) => level === 2);
  if (listed.length < 3) return null;
  return html`<nav class="contents" aria-label="On this page">
    <p>On this page</p>
    <ul>
      ${listed.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
    </ul>
  </nav>`;
};

/** An edit of such a page is lost, so its link leads to what writes it. */
const isGenerated = (file: string): boolean => readText(file).startsWith('<!-- Written by');

/** The pages before and after this one in the navigation, and where its source is. */
const pageEnd = (
  file: string,
  { groups, homepage, titleOf }: { groups: readonly NavGroup[]; titleOf: Titles; homepage: string },
): Markup | null => {
  const order = groups.flatMap(({ files }) => files);
  const at = order.indexOf(file);
  if (at < 0) return null;
  const link = (target: string | undefined, words: string, rel: string): Markup | null =>
    target === undefined
      ? null
      : html`<a rel="${rel}" href="${addressOf(target)}"
          ><span>${words}</span> ${titleOf(target)}</a
        >`;
  return html`<nav class="page-end" aria-label="Pages beside this one">
    ${link(order[at - 1], 'Previous:', 'prev')} ${link(order[at + 1], 'Next:', 'next')}
    <p>
      ${
        isGenerated(file)
          ? html`<a href="${homepage}/tree/main/test/tools/contract">Edit what writes this page</a>`
          : html`<a href="${homepage}/edit/main/${file}">Edit this page</a>`
      }
      <a href="${plainAddressOf(file)}">As Markdown</a>
    </p>
  </nav>`;
};

/** The pages of a stack: the element is on them. */
const isOfStack = (file: string): boolean =>
  file.startsWith('docs/quick-start/') ||
  /^docs\/guides\/(medusa|vendure|wordpress)\.md$/.test(file);

/** What a stack leads to: beside the demo shop it can be paid, else its answers are samples. */
const result = ({ shop }: Assets): Markup =>
  html`<section class="result">
    <h2>What your customers see</h2>
    ${
      shop === true
        ? html`<p>
              The element is live here. Pay, and confirm on
              <a href="/service/phone" target="_blank">the customer’s phone</a>.
            </p>
            <pay-checkout
              relay="/pay"
              amount="12.50"
              currency="USD"
              product-name="A shade tree"
            ></pay-checkout>`
        : html`<div class="sample">
              <img
                src="${addressOf('demo/screenshots/card.png')}"
                alt="A card with the amount, a QR code, and “Waiting for your payment”"
              />
            </div>
            <p>
              The answers of this page are samples, and nobody can pay here. In a clone of the
              repository, <code>npm start</code> also takes a payment.
            </p>`
    }
  </section>`;

export const pageOf = (
  file: string,
  rendered: Rendered,
  frame: { groups: readonly NavGroup[]; titleOf: Titles; assets: Assets; homepage: string },
): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          ${rendered.title === 'pay-checkout' ? '' : `${rendered.title} · `}pay-checkout
        </title>
        <link rel="stylesheet" href="${frame.assets.style}" />
        <script
          ${frame.assets.packed === true ? html`defer` : html`type="module"`}
          src="${frame.assets.script}"
        ></script>
        ${
          frame.assets.shop === true &&
          isOfStack(file) &&
          html`<script src="/pay/pay-checkout.js" defer></script>`
        }
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="docs-top">
          <a class="brand" href="${BASE}">pay-checkout</a>
          <form class="search" role="search" data-index="${BASE}search.json">
            <input
              type="search"
              name="q"
              aria-label="Search the documentation"
              placeholder="Search"
              autocomplete="off"
              aria-describedby="found"
            />
            <p id="found" class="unseen" role="status"></p>
            <ol class="results" hidden></ol>
          </form>
        </header>
        <div class="docs">
          <nav class="side" aria-label="Documentation">
            <details class="menu" open>
              <summary>All pages</summary>
              ${
                frame.assets.shop === true &&
                html`<p class="shop">
                  <a href="/">Demo shop</a> <a href="/playground.html">Playground</a>
                </p>`
              }
              ${sideBar(frame.groups, file, frame.titleOf)}
            </details>
          </nav>
          <main id="main" tabindex="-1">
            <article>
              ${new Markup(rendered.html)}
              ${frame.assets.packed !== true && isOfStack(file) && result(frame.assets)}
            </article>
            ${pageEnd(file, frame)}
          </main>
          ${contents(rendered)}
        </div>
      </body>
    </html> `.text;
