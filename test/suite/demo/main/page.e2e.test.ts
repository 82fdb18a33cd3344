/** The shop in Chromium: the emulated phone, both themes, a strict policy, a network cut. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { SandboxOrder } from '../../../../relay/sandbox/orders.js';
import {
  choose,
  inPhase,
  openShop,
  readQr,
  type Shop,
  lastOrderOf,
} from '../../support/demo-shop.js';

const STRICT_POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; " +
  "require-trusted-types-for 'script'";
const STRICT_PAGE = `<!doctype html><script src="/pay/pay-checkout.js"></script>
  <pay-checkout amount="5" currency="USD" product-name="A tree"></pay-checkout>`;

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

const lastOrder = (): SandboxOrder => lastOrderOf(shop.demo);
const paysOf = (requestId: string): number =>
  shop.demo.sandbox.calls.filter(
    ({ operation, body }) =>
      operation === 'pay' && (body as { request_id?: string }).request_id === requestId,
  ).length;

/** A page that shows the code of one product. */
async function openCode(): Promise<Page> {
  const page = await shop.open('/');
  await page.click('[data-sku="huila"]');
  await page.goto(`${shop.demo.url}/checkout.html`);
  await choose(page, 'sbp_qr');
  await inPhase(page, 'awaiting_payment');
  return page;
}

describe('the shop', () => {
  it('the shop sells a basket by QR code, from the order token to the thank-you page', async () => {
    const page = await shop.open('/', { viewport: { width: 1280, height: 900 } });
    await page.click('[data-sku="huila"]');
    await page.click('[data-sku="mint"]');
    await page.click('text=Basket (2)');
    await page.click('text=To the checkout');
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    assert.deepEqual([lastOrder().fields.amount, lastOrder().fields.currency], ['1380.25', 'RUB']);

    const qr = page.locator('pay-checkout [part~="qr"] path').last();
    const before = await qr.getAttribute('d');
    await page.reload();
    await inPhase(page, 'awaiting_payment');
    assert.equal(await qr.getAttribute('d'), before, 'the same QR code');

    await page.frameLocator('iframe').locator('button.main').first().click();
    await page.waitForURL(/thank-you/);
    await page.locator('#result[data-state="paid"]').waitFor();
    assert.equal(paysOf(lastOrder().request_id), 1);
  });

  it('the shop closes the former order when another tab has changed the basket', async () => {
    const first = await openCode();

    const second = await first.context().newPage();
    await second.goto(shop.demo.url);
    await second.click('[data-sku="mint"]');
    await second.goto(`${shop.demo.url}/checkout.html`);
    await inPhase(second, 'choosing');
    await first.locator('pay-checkout[phase="awaiting_payment"]').waitFor({ state: 'detached' });
  });

  it('the shop opens a paid order in place of a changed basket', async () => {
    const first = await openCode();
    const second = await first.context().newPage();
    await first.close();
    shop.demo.sandbox.orders.act(lastOrder(), 'confirm');

    await second.goto(shop.demo.url);
    await second.click('[data-sku="mint"]');
    await second.goto(`${shop.demo.url}/checkout.html`);
    await second.waitForURL(/thank-you/);
    await second.locator('#result[data-state="paid"]').waitFor();
  });

  it('shows the pictures and marks of the ways to pay, and icons for others', async () => {
    const page = await shop.open('/donate.html');
    const element = await inPhase(page, 'choosing');
    await page.waitForLoadState('networkidle');
    const drawn = await element.locator('.option').evaluateAll((all) =>
      all.map((option) => {
        const picture = option.querySelector('img');
        return picture?.checkVisibility() ? new URL(picture.src).pathname : 'icon';
      }),
    );
    const mark = '/pay/marks/usdt.svg';
    assert.deepEqual(drawn, ['/icons/sbp.svg', 'icon', '/icons/khqr.svg', 'icon', mark]);
  });

  it('the shop folds the order on a phone, so that Pay is in the window', async () => {
    const page = await shop.open('/', { viewport: { width: 390, height: 844 } });
    await page.click('[data-sku="huila"]');
    await page.click('text=Basket (1)');
    await page.click('text=To the checkout');
    const card = await inPhase(page, 'choosing');
    const pay = await card.locator('[data-action="pay"]').boundingBox();
    assert.ok(pay && pay.y + pay.height < 844, `Pay ends at ${pay && pay.y + pay.height}`);
    await page.click('.folded summary');
    await page.getByText('Change the basket').waitFor();
  });

  it('the shop says once in a window that no real money moves', async () => {
    const page = await shop.open('/tee.html', { viewport: { width: 1280, height: 900 } });
    await inPhase(page, 'choosing');
    await page.frameLocator('iframe').getByText('Your bank').waitFor();
    const said = await Promise.all(
      page.frames().map((frame) => frame.getByText(/no real money/i).count()),
    );
    assert.deepEqual(said, [1, 0]);
  });

  it('the fault panel names no field of the sandbox', async () => {
    const page = await shop.open('/tee.html');
    await page.click('.faults summary');
    const options = page.locator('[name="fault"] option');
    await options.first().waitFor({ state: 'attached' });
    assert.doesNotMatch((await options.allTextContents()).join(), /delay_ms|`|value/);
  });

  it('the shop ignores a status in the address of the thank-you page', async () => {
    const page = await shop.open('/thank-you.html?order=made-up&status=succeeded');
    await page.getByText('No such order').waitFor();
  });
});

describe('the ways to pay', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(`shows a readable QR code in the ${colorScheme} theme`, async () => {
      const page = await shop.open('/donate.html', {
        colorScheme,
        viewport: { width: 390, height: 844 },
        deviceScaleFactor: 2,
      });
      await choose(page, 'sbp_qr');
      const element = await inPhase(page, 'awaiting_payment');
      assert.equal(await readQr(element.locator('[part~="qr"]')), lastOrder().link.qrcode_string);
      shop.demo.sandbox.orders.act(lastOrder(), 'confirm');
      await inPhase(page, 'succeeded');
    });
});

describe('what the customer does', () => {
  it('shows success when the browser is online again', async () => {
    const page = await shop.open('/donate.html');
    await choose(page, 'card');
    await inPhase(page, 'awaiting_payment');
    await page.context().setOffline(true);
    shop.demo.sandbox.orders.act(lastOrder(), 'confirm');
    await page.context().setOffline(false);
    await inPhase(page, 'succeeded');
  });
});

describe('the script tag', () => {
  it('the script works under a strict policy, without style attributes and fonts', async () => {
    const page = await shop.open('/service/phone');
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    const requests: string[] = [];
    page.on('request', (request) =>
      requests.push(`${request.resourceType()} ${new URL(request.url()).pathname}`),
    );
    await page.route('**/strict.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: {
          'content-security-policy': STRICT_POLICY,
        },
        body: STRICT_PAGE,
      }),
    );
    await page.goto(`${shop.demo.url}/strict.html`);
    await inPhase(page, 'choosing');
    requests.length = 0;
    await choose(page, 'sbp_qr');
    const element = await inPhase(page, 'awaiting_payment');
    await element.locator('[part~="qr"]').waitFor();
    assert.deepEqual(problems, []);
    assert.equal(
      await page.evaluate(
        () =>
          document.querySelector('pay-checkout')?.shadowRoot?.querySelectorAll('[style]').length,
      ),
      0,
    );
    shop.demo.sandbox.orders.act(lastOrder(), 'confirm');
    await inPhase(page, 'succeeded');
    await element.locator('.sign.good').waitFor();
    assert.deepEqual(problems, []);
    const expected = ['fetch /pay/v1/pay', 'fetch /pay/v1/query', 'image /logo.svg'];
    assert.deepEqual([...new Set(requests)].sort(), expected);
  });
});
