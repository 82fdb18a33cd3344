/**
 * The roads: the ways in which the element gets onto a page with a strict policy. The usual way,
 * the relay's script tag on an English page, is tested in strict-policy.test.ts.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { BEGIN_HASH, BEGIN_TEXT } from '../../../../relay/contract/begin-text.js';
import { elementScript } from '../../../../relay/node/element-script.js';
import { checkoutChild, signOrderToken } from '../../../../widget/shop/index.js';
import type { OlderBuild } from '../../support/older-build.js';
import { bundleShop } from '../../support/shop-bundle.js';
import { SALE } from './strict-journeys.js';
import {
  hashOf,
  type PolicyName,
  type StrictPage,
  type StrictShop,
  type Visit,
} from './strict-shop.js';

type RoadPage = Omit<StrictPage, 'policy'>;
export type Road = {
  policies: readonly PolicyName[];
  page(shop: StrictShop, older: OlderBuild): RoadPage | Promise<RoadPage>;
  /** Asserts, after the payment, that the element came by this road and by no other. */
  check(shop: StrictShop, visit: Visit, older: OlderBuild): void | Promise<void>;
};

const OWN = '/assets/';

const PURCHASE = 'amount="12.50" currency="USD" product-name="A tree"';
const TAG = `<pay-checkout ${PURCHASE}></pay-checkout>`;

/** The names of the scripts that the page has requested, from the shop's host and the relay. */
const scriptsOf = ({ checkout, url }: StrictShop, { requests }: Visit) => {
  const below = (start: string): string[] =>
    requests
      .filter((each) => each.startsWith(start) && each.endsWith('.js'))
      .map((each) => each.slice(start.length));
  return { own: below(url + OWN), relays: below(`${checkout.relay}/`) };
};

const checkoutsOf = ({ requests }: Visit): string[] =>
  requests.filter((each) => each.endsWith('/v1/checkout'));

/** The script comes from the shop's host, and none from the relay. */
function ownScriptsOnly(shop: StrictShop, visit: Visit): void {
  const { own, relays } = scriptsOf(shop, visit);
  assert.notEqual(own.length, 0);
  assert.deepEqual(relays, []);
}

/** Serves the shop's bundle. */
async function bundled(shop: StrictShop, name: string, code: string): Promise<string> {
  const base = `${OWN}${name}/`;
  for (const [file, script] of await bundleShop(code, base)) shop.serveScript(base + file, script);
  return `<script type="module" src="${base}shop.js"></script>`;
}

const REACT = `
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  import { PayCheckout } from 'pay-checkout/react';

  const place = document.querySelector('#checkout');
  const { relay } = place.dataset;
  const sale = { amount: '12.50', currency: 'USD', productName: 'A tree' };
  createRoot(place).render(createElement(PayCheckout, { relay, ...sale }));
`;

/** Each road by a statement about its page. */
export const ROADS: Record<string, Road> = {
  'a bundle brings pay-checkout/define': {
    policies: ['From your own host'],
    page: async (shop) => ({
      head: await bundled(shop, 'define', "import 'pay-checkout/define';"),
      body: TAG.replace('>', ` relay="${shop.checkout.relay}">`),
    }),
    check: ownScriptsOnly,
  },
  'a bundle brings pay-checkout/react': {
    policies: ['From your own host'],
    page: async (shop) => ({
      head: await bundled(shop, 'react', REACT),
      body: `<div id="checkout" data-relay="${shop.checkout.relay}"></div>`,
    }),
    check: ownScriptsOnly,
  },
  'the shop serves a copy of the script': {
    policies: ['From your own host', 'By hash'],
    page: (shop) => {
      shop.serveScript(`${OWN}pay-checkout.js`, readFileSync(elementScript(), 'utf8'));
      const src = `src="${OWN}pay-checkout.js" data-relay="${shop.checkout.relay}"`;
      return { head: shop.scriptTag.replace(/src="[^"]+"/, src), body: TAG };
    },
    check: ownScriptsOnly,
  },
  'the page is in German': {
    policies: ['By host', 'By hash'],
    page: () => ({ lang: 'de', body: TAG }),
    check: async ({ checkout }, { page, requests }) => {
      assert.ok(requests.includes(`${checkout.relay}/locales/de.json`));
      await page.locator('pay-checkout h2', { hasText: 'bezahlt' }).waitFor();
    },
  },
  'the page has a theme': {
    policies: ['Rendered on the server'],
    page: ({ checkout, scriptTag }) => ({
      head: `<link rel="stylesheet" href="${checkout.relay}/themes/ledger.css" />${scriptTag}`,
      body: TAG,
    }),
    check: async (_, { page }) => {
      const radius =
        'getComputedStyle(document.querySelector("pay-checkout"))' +
        '.getPropertyValue("--pay-radius")';
      assert.equal(await page.evaluate(radius), '2px');
    },
  },
  'the page has the script behind the tag': {
    policies: ['By hash', 'With the script behind the tag'],
    page: ({ scriptTag }) => ({
      hashes: [hashOf(scriptTag), BEGIN_HASH],
      body: `${TAG}<script>${BEGIN_TEXT}</script>`,
    }),
    check: (_, visit) => assert.equal(checkoutsOf(visit).length, 1),
  },
  'the backend has written the first answer into the page': {
    policies: ['By host', 'By hash'],
    page: async ({ checkout }) => {
      const claims = { aud: checkout.relay, jti: `order-${crypto.randomUUID()}`, ...SALE };
      const order_token = await signOrderToken(claims, checkout.order_token_key);
      const child = await checkoutChild(checkout, { order_token });
      assert.match(child, /^<script type="application\/json">/);
      return { body: `<pay-checkout order-token="${order_token}">${child}</pay-checkout>` };
    },
    check: (_, visit) => assert.deepEqual(checkoutsOf(visit), []),
  },
  'the page names an earlier build': {
    policies: ['By host', 'By hash'],
    page: ({ checkout, scriptTag }, { hash, name }) => ({
      head: scriptTag
        .replace(/src="[^"]+"/, `src="${checkout.relay}/${name}"`)
        .replace(hashOf(scriptTag), hash),
      hashes: [hash],
      body: TAG,
    }),
    check: (shop, visit, { name }) => {
      assert.deepEqual(scriptsOf(shop, visit).relays, [name]);
      assert.ok(!shop.scriptTag.includes(name));
    },
  },
};
