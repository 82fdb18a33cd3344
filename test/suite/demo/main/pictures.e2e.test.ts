/** Logos and icons that are good, slow, broken, huge, hostile, or on a host of somebody else. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PNG } from 'pngjs';
import type { Page } from 'playwright-core';
import { inPhase, openShop, type Shop } from '../../support/demo-shop.js';

const CDN = 'https://cdn.example/';
const STRANGER = 'https://stranger.example/';
const PAGE = `<!doctype html><script src="/pay/pay-checkout.js"></script>
  <pay-checkout amount="5" currency="USD" product-name="A tree"></pay-checkout>`;
const SVG_WITH_SCRIPT = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"
  onload="top.hacked = parent.hacked = 1"><script>top.hacked = parent.hacked = 1</script>
  <rect width="9" height="9" fill="red"/></svg>`;

const png = (width: number, height: number): Buffer => {
  const picture = new PNG({ width, height });
  picture.data.fill(200);
  return PNG.sync.write(picture);
};

let shop: Shop;
before(async () => (shop = await openShop()));
after(() => shop.close());

type Checkout = { logo_url?: string; image_hosts?: string[]; options: { icon_url?: string }[] };

/** Opens a checkout whose logo and first icon are a picture. */
async function open(url: string): Promise<{ page: Page; asked: string[] }> {
  const page = await shop.open('/service/phone');
  const asked: string[] = [];
  await page.route('**/pictures.html', (route) =>
    route.fulfill({ contentType: 'text/html', body: PAGE }),
  );
  await page.route('**/v1/checkout', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { checkout: Checkout };
    body.checkout.logo_url = url;
    body.checkout.image_hosts = ['cdn.example'];
    for (const option of body.checkout.options.slice(0, 1)) option.icon_url = url;
    await route.fulfill({ response, json: body });
  });
  await page.route(/^https:\/\/(cdn|stranger)\.example\//, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    asked.push(route.request().url());
    if (name === 'good.png') return route.fulfill({ contentType: 'image/png', body: png(64, 64) });
    if (name === 'huge.png')
      return route.fulfill({ contentType: 'image/png', body: png(4000, 3000) });
    if (name === 'script.svg')
      return route.fulfill({ contentType: 'image/svg+xml', body: SVG_WITH_SCRIPT });
    return name === 'cut.png' ? route.abort() : route.fulfill({ status: 404, body: 'none' });
  });
  await page.goto(`${shop.demo.url}/pictures.html`);
  await inPhase(page, 'choosing');
  await page.waitForLoadState('networkidle');
  return { page, asked };
}

type Mark = { shown: boolean; width: number; height: number; hasIcon: boolean };
const marks = (page: Page): Promise<Mark[]> =>
  page.locator('pay-checkout .mark').evaluateAll((all) =>
    all.map((mark) => {
      const { height, width } = mark.getBoundingClientRect();
      const picture = mark.querySelector('img');
      return {
        shown: picture !== null && picture.checkVisibility({ visibilityProperty: true }),
        width,
        height,
        hasIcon: mark.querySelector('.icon') !== null,
      };
    }),
  );

describe('a picture of the shop and of a way to pay', () => {
  for (const [what, url, shown] of [
    ['is shown when it loads', `${CDN}good.png`, true],
    ['is shown as small as the others when it is huge', `${CDN}huge.png`, true],
    ['is shown without running the script in it', `${CDN}script.svg`, true],
    ['gives way to an icon when it is not there', `${CDN}none.png`, false],
    ['gives way to an icon when its host cannot be reached', `${CDN}cut.png`, false],
    ['is not asked for on a host of somebody else', `${STRANGER}good.png`, false],
    ['is not asked for without encryption', `http://cdn.example/good.png`, false],
  ] as const)
    it(`a picture ${what}`, async () => {
      const { asked, page } = await open(url);
      const found = await marks(page);
      const [first, second] = found.filter(({ width }) => width > 0);
      assert.equal(first?.shown, shown);
      if (shown) assert.equal(second?.shown, true, 'the logo and the first icon');
      for (const { hasIcon, height, width } of found.filter((mark) => mark.width > 0)) {
        assert.deepEqual([width, height], [32, 32]);
        assert.equal(hasIcon || shown, true);
      }
      assert.equal(await page.evaluate(() => 'hacked' in globalThis), false);
      assert.equal(asked.filter((address) => !address.startsWith(CDN)).length, 0);
      await page.context().close();
    });
});
