/** The order in the first response: in Chromium, without a script and with it. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { until } from '../../support/wait.js';
import {
  askRelay,
  choose,
  inPhase,
  lastOrderOf,
  openShop,
  readQr,
  type Shop,
} from '../../support/demo-shop.js';

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

const DESKTOP = { viewport: { width: 1000, height: 900 } };
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

const post = (path: string, body: object): Promise<Response> => askRelay(shop, path, body);

async function newToken(): Promise<string> {
  const sale = {
    amount: '12.50',
    currency: 'USD',
    product_name: 'A tree',
    customer_ref_id: 'c-1',
  };
  const answer = (await (await post('/v1/order-tokens', sale)).json()) as { order_token: string };
  return answer.order_token;
}

/** The shop's page after the customer pressed "pay", under the policy that the guide names. */
async function openPage(
  request: { option?: string; locale?: string; styles?: string; nonce?: string },
  options: BrowserContextOptions = DESKTOP,
  styleSource = "'self'",
): Promise<{ page: Page; refused: string[] }> {
  const order_token = await newToken();
  const page = await shop.open('/about:blank', options);
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  await page.addInitScript(WATCH);
  await page.route('**/pay-my-order', async (route) => {
    const element = await (await post('/v1/render', { order_token, ...request })).text();
    await route.fulfill({
      contentType: 'text/html; charset=utf-8',
      headers: {
        'content-security-policy':
          `default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; ` +
          `style-src ${styleSource}`,
      },
      body: `<!doctype html><html lang="en"><head><meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" /><title>Pay</title>
        <script src="/pay/pay-checkout.js" async></script></head><body>${element}</body></html>`,
    });
  });
  return { page, refused };
}

const goTo = (page: Page): Promise<unknown> => page.goto(`${shop.demo.url}/pay-my-order`);

/** A rendered card, which stays since the element has no texts for a screen. */
async function openWithoutTexts(): Promise<{ page: Page; code: Locator }> {
  const { page } = await openPage({ option: 'sbp_qr' });
  await page.route('**/locales/*', (route) => route.abort());
  await goTo(page);
  await inPhase(page, 'awaiting_payment');
  const code = page.locator('.declared [part="qr"]:visible');
  await code.waitFor();
  return { page, code };
}

/** One painted frame: the titles of the visible cards, and the boxes of their main parts. */
type Frame = { titles: string[]; boxes: number[][] };
/** Notes every layout shift and, from the first card on, what is visible before each paint. */
const WATCH = `
  window.frames_ = [];
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) shifts += shift.value;
  }).observe({ type: 'layout-shift', buffered: true });
  const look = () => {
    const root = document.querySelector('pay-checkout')?.shadowRoot;
    const shown = (selector) => [...(root?.querySelectorAll(selector) ?? [])]
      .filter((each) => each.checkVisibility());
    const boxOf = (each) => {
      const { x, y, width, height } = each.getBoundingClientRect();
      return [x, y, width, height];
    };
    const titles = shown('h2').map((title) => title.textContent);
    const boxes = shown('.base, h2, .amount, [part=qr], .primary').map(boxOf);
    // while the browser still reads the page, it may paint a part of it
    const isRead = document.readyState !== 'loading' && titles.length > 0;
    if (isRead || frames_.length > 0) frames_.push({ titles, boxes });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

const lastOrder = (): ReturnType<typeof lastOrderOf> => lastOrderOf(shop.demo);

describe('the order in the first response', () => {
  it('a rendered order is paid without a script, and followed by its refresh link', async () => {
    const { page, refused } = await openPage(
      { option: 'sbp_qr' },
      { ...DESKTOP, javaScriptEnabled: false },
    );
    await goTo(page);
    const order = lastOrder();
    assert.equal(await readQr(page.locator('[part="qr"]:visible')), order.link.qrcode_string);
    assert.equal(await page.locator('output:visible').textContent(), order.link.qrcode_string);
    assert.equal(await page.locator('button:visible').count(), 1, 'the code');
    shop.demo.sandbox.orders.act(order, 'confirm');
    const paid = page.locator('h2', { hasText: /^Paid / }).locator('visible=true');
    const refresh = page.locator('a', { hasText: 'I’ve paid' }).locator('visible=true');
    const end = Date.now() + 15_000;
    do {
      await refresh.click();
      await paid.or(refresh).waitFor();
    } while (!(await paid.isVisible()) && Date.now() < end);
    assert.equal(await paid.count(), 1);
    assert.deepEqual(refused, []);
  });

  for (const [action, title] of [
    ['decline', /did not go through/],
    ['expire', /has expired/],
  ] as const)
    it(`a rendered order shows no code without a script after the action ${action}`, async () => {
      const { page } = await openPage(
        { option: 'sbp_qr' },
        { ...DESKTOP, javaScriptEnabled: false },
      );
      await goTo(page);
      const order = lastOrder();
      shop.demo.sandbox.orders.act(order, action);
      const ended = page.locator('h2', { hasText: title }).locator('visible=true');
      const end = Date.now() + 15_000;
      do await page.reload();
      while ((await ended.count()) === 0 && Date.now() < end);
      assert.equal(await ended.count(), 1);
      assert.equal(await page.locator('output:visible').count(), 0);
      assert.equal(await page.getByText(order.link.qrcode_string ?? '').count(), 0);
    });

  for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
    it(`a rendered order is taken over on a ${device} without a flash or a shift`, async () => {
      const { page, refused } = await openPage({ option: 'sbp_qr', locale: 'ru' }, options);
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/v1/checkout', async (route) => {
        await held;
        await route.continue();
      });
      const asked = page.waitForRequest('**/v1/checkout');
      await goTo(page);
      await asked;
      await page.locator('pay-checkout h2:visible').waitFor();
      release();
      const element = await inPhase(page, 'awaiting_payment');
      await element.locator('.declared').waitFor({ state: 'detached' });
      const [first, ...others] = await page.evaluate<Frame[]>('frames_');
      assert.equal(first?.titles.length, 1);
      for (const frame of others) assert.deepEqual(frame, first);
      assert.equal(await page.evaluate('shifts'), 0);
      shop.demo.sandbox.orders.act(lastOrder(), 'confirm');
      await inPhase(page, 'succeeded');
      assert.deepEqual(refused, []);
    });

  it('a rendered code stays while the relay cannot be asked, until its time is over', async () => {
    const { page } = await openPage({ option: 'sbp_qr' });
    let isCut = true;
    let requests = 0;
    await page.route('**/v1/checkout', (route) => {
      requests++;
      return isCut ? route.abort() : route.continue();
    });
    await page.route('**/locales/*', (route) => (isCut ? route.abort() : route.continue()));
    await goTo(page);
    await until(() => Promise.resolve(requests > 1), 'the second request');
    const code = page.locator('.declared [part="qr"]:visible');
    assert.equal(await readQr(code), lastOrder().link.qrcode_string);
    assert.equal(await page.locator('.countdown:visible').count(), 0, 'no clock that stands still');
    assert.equal(await page.locator('button:visible').count(), 1, 'the code');
    isCut = false;
    await inPhase(page, 'awaiting_payment');
    await page.locator('.declared').waitFor({ state: 'detached' });
    isCut = true;
    await page.reload();
    await code.waitFor();
    // the server wrote that the time is over a moment after the page was opened
    await page
      .locator('.declared .countdown')
      .evaluateAll((clocks) => clocks.forEach((clock) => clock.setAttribute('data-seconds', '1')));
    await inPhase(page, 'problem');
    assert.equal(await page.locator('[part="qr"]').count(), 0);
  });

  it('a rendered code goes once its order is paid, also while there are no texts', async () => {
    const { code, page } = await openWithoutTexts();
    shop.demo.sandbox.orders.act(lastOrder(), 'confirm');
    await inPhase(page, 'succeeded');
    assert.equal(await code.count(), 0);
  });

  it('a rendered code goes when the page names another purchase, without texts too', async () => {
    const { code, page } = await openWithoutTexts();
    const token = await newToken();
    const element = page.locator('pay-checkout');
    await element.evaluate((each, value) => each.setAttribute('order-token', value), token);
    await code.waitFor({ state: 'detached' });
  });

  it('a rendered order is styled without a request when its HTML holds the styles', async () => {
    const nonce = 'cmFuZG9tLW5vbmNl';
    const { page, refused } = await openPage(
      { option: 'sbp_qr', styles: 'inline', nonce },
      { ...DESKTOP, javaScriptEnabled: false },
      `'nonce-${nonce}'`,
    );
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.resourceType()));
    await goTo(page);
    assert.equal(await readQr(page.locator('[part="qr"]:visible')), lastOrder().link.qrcode_string);
    const card = page.locator('pay-checkout .base:visible').first();
    const border = await card.evaluate((each) => getComputedStyle(each).borderTopStyle);
    assert.equal(border, 'solid');
    assert.deepEqual([loaded.includes('stylesheet'), refused], [false, []]);
  });

  it('a rendered card leaves the choice between several ways to pay to the script', async () => {
    const { page } = await openPage({});
    const before = shop.demo.sandbox.orders.all().length;
    await goTo(page);
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    assert.equal(shop.demo.sandbox.orders.all().length, before + 1);
  });
});
