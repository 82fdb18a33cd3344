/** Two copies of the element on one page in Chromium: the relay's script, and the one from npm. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { pageProblems } from '../support/page-problems.js';
import { choose, inPhase, lastOrderOf, openShop, type Shop } from './shop.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NPM_SCRIPT = '/shop-bundle.js';

const RELAYS = '<script src="/pay/pay-checkout.js" defer></script>';
const NPMS = `<script type="module" src="${NPM_SCRIPT}"></script>`;
/** Runs between the two, because deferred scripts and modules run in the order of the page. */
const NOTE_FIRST = `<script type="module">
  globalThis.firstCopy = customElements.get('pay-checkout');
</script>`;
const COUNT_EVENTS = `<script>
  globalThis.paidOrders = [];
  document.addEventListener('pay-succeeded', ({ order }) => paidOrders.push(order.request_id));
</script>`;

let shop: Shop;
let bundle = '';
before(async () => {
  [shop, bundle] = await Promise.all([openShop(), shopBundle()]);
});
after(() => shop.close());

/** A shop's own bundle of `pay-checkout/define`. */
async function shopBundle(): Promise<string> {
  const results = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: 'widget/define.ts', formats: ['es'], fileName: 'shop-bundle' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  assert.ok(Array.isArray(results));
  const chunks = results.flatMap(({ output }) => output);
  const [chunk] = chunks;
  assert.ok(chunk?.type === 'chunk' && chunks.length === 1, 'the bundle is one file');
  return chunk.code;
}

describe('two copies of the element', () => {
  for (const [name, scripts] of Object.entries({
    'the relay’s script runs first': [RELAYS, NOTE_FIRST, NPMS],
    'the shop’s bundle runs first': [NPMS, NOTE_FIRST, RELAYS],
  }))
    it(`the first copy pays, and the page hears it once, when ${name}`, async () => {
      const page = await shop.open('/about:blank');
      const problems = pageProblems(page);
      await page.route(`**${NPM_SCRIPT}`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: bundle }),
      );
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
