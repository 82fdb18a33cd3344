/** Two copies of the element on one page in Chromium: the relay's script, and the one from npm. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pageProblems } from '../../support/page-problems.js';
import { bundleShop } from '../../support/shop-bundle.js';
import { choose, inPhase, lastOrderOf, openShop, type Shop } from '../../support/demo-shop.js';

const BUNDLE = '/shop-bundle/';

const RELAYS = '<script src="/pay/pay-checkout.js" defer></script>';
const NPMS = `<script type="module" src="${BUNDLE}shop.js"></script>`;
/** Runs between the two, because deferred scripts and modules run in the order of the page. */
const NOTE_FIRST = `<script type="module">
  globalThis.firstCopy = customElements.get('pay-checkout');
</script>`;
const COUNT_EVENTS = `<script>
  globalThis.paidOrders = [];
  document.addEventListener('pay-succeeded', ({ order }) => paidOrders.push(order.request_id));
</script>`;

let shop: Shop;
let bundle: ReadonlyMap<string, string>;
before(async () => {
  [shop, bundle] = await Promise.all([
    openShop(),
    bundleShop("import 'pay-checkout/define';", BUNDLE),
  ]);
});
after(() => shop.close());

describe('two copies of the element', () => {
  for (const [name, scripts] of Object.entries({
    'the relay’s script runs first': [RELAYS, NOTE_FIRST, NPMS],
    'the shop’s bundle runs first': [NPMS, NOTE_FIRST, RELAYS],
  }))
    it(`the first copy pays, and the page gets one event, when ${name}`, async () => {
      const page = await shop.open('/about:blank');
      const problems = pageProblems(page);
      await page.route(`**${BUNDLE}*`, (route, request) => {
        const body = bundle.get(request.url().split(BUNDLE)[1] ?? '') ?? '';
        return route.fulfill({ contentType: 'text/javascript', body });
      });
      await page.route('**/two-copies', (route) =>
        route.fulfill({
          contentType: 'text/html; charset=utf-8',
          body: `<!doctype html><html lang="en"><head><title>Pay</title>
            <link rel="icon" href="data:," />${COUNT_EVENTS}${scripts.join('')}</head><body>
            <pay-checkout relay="${shop.demo.url}/pay" amount="12.50" currency="USD"
              product-name="A tree"></pay-checkout></body></html>`,
        }),
      );
      await page.goto(`${shop.demo.url}/two-copies`);
      await choose(page, 'sbp_qr');
      const element = await inPhase(page, 'awaiting_payment');
      await element.locator('[part~="qr"]').waitFor();
      const order = lastOrderOf(shop.demo);
      shop.demo.sandbox.orders.act(order, 'confirm');
      await inPhase(page, 'succeeded');
      const heard = await page.evaluate('paidOrders');
      assert.deepEqual(heard, [order.request_id]);
      const kept = `Boolean(firstCopy) && customElements.get('pay-checkout') === firstCopy`;
      assert.equal(await page.evaluate(kept), true);
      assert.deepEqual(problems, []);
      await page.context().close();
    });
});
