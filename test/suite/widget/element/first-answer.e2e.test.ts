/** A page that has the answer of the checkout before the element's script has loaded. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { askRelay, choose, inPhase, openShop, type Shop } from '../../support/demo-shop.js';

const ELEMENT = '<script src="/pay/pay-checkout.js" defer></script>';
const SALE = { amount: '12.50', currency: 'USD', product_name: 'A shade tree' };
let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

type Opened = {
  page: Page;
  /** The bodies of the requests to `checkout`. */
  asked: Record<string, unknown>[];
  /** Lets the element's script load. */
  release: () => void;
};

/** Opens a page of the shop with this head; the element's script waits until it is released. */
async function open(head: string, child = '', attributes = ''): Promise<Opened> {
  const page = await shop.open('/about:blank');
  const asked: Record<string, unknown>[] = [];
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/checkout'))
      asked.push({ ...request.postDataJSON(), url: request.url() });
  });
  await page.route('**/pay/pay-checkout.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.route('**/own.html', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><title>Pay</title>${head}
        <pay-checkout amount="12.50" currency="USD" product-name="A shade tree" ${attributes}>${
          child
        }</pay-checkout>`,
    }),
  );
  await page.goto(`${shop.demo.url}/own.html`, { waitUntil: 'commit' });
  return { page, asked, release };
}

const answerOfRelay = async (): Promise<Record<string, unknown>> =>
  (await (await askRelay(shop, '/v1/checkout', SALE)).json()) as Record<string, unknown>;
const asChild = (text: string): string =>
  `<script type="application/json">${text.replaceAll('<', '\\u003c')}</script>`;
/** A child of the page's own sale, with its fields in another order than the element's. */
const childOf = (answer: object, intent: object = SALE): string =>
  JSON.stringify({ intent: Object.fromEntries(Object.entries(intent).reverse()), answer });
const amountOf = (page: Page): Promise<string | null> =>
  page.locator('pay-checkout [part="amount"]').first().getAttribute('data-amount');

describe('an answer that the page holds', () => {
  it('an answer in the page is shown without a request, and can be paid', async () => {
    const { asked, page, release } = await open(ELEMENT, asChild(childOf(await answerOfRelay())));
    release();
    await inPhase(page, 'choosing');
    assert.deepEqual(asked, []);
    assert.equal(await amountOf(page), '12.50');
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    await page.reload();
    await inPhase(page, 'awaiting_payment');
    assert.equal(asked.length, 1);
  });

  it('a child without an answer, with an order or of another sale is ignored', async () => {
    const answer = await answerOfRelay();
    const order = {
      request_id: 'a'.repeat(26),
      order_key: 'k'.repeat(26),
      outcome: 'pending',
      next_action: { kind: 'scan_qr', qrcode_string: 'pay the thief' },
    };
    for (const text of [
      '',
      '{',
      'null',
      JSON.stringify(answer),
      childOf({ ...answer, contract: 99 }),
      childOf({ ...answer, order }),
      childOf(answer, { ...SALE, amount: '5' }),
    ]) {
      const { asked, page, release } = await open(ELEMENT, asChild(text));
      release();
      await inPhase(page, 'choosing');
      assert.equal(asked.length, 1, text.slice(0, 40));
      await page.context().close();
    }
  });
});
