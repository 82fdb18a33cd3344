/** Every road in a real browser, from the shop's page to a payment that the service confirms. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { SandboxOrder } from '../../demo/order-service/orders.js';
import { choose, inPhase, openShop, readQr, type Shop } from './shop.js';

let shop: Shop;
before(async () => (shop = await openShop()));
after(() => shop.close());

const last = (): SandboxOrder => {
  const order = shop.demo.sandbox.orders.all().at(-1);
  assert.ok(order);
  return order;
};
const paysOf = (requestId: string): number =>
  shop.demo.sandbox.calls.filter(({ operation, body }) => operation === 'pay' && (body as { request_id?: string }).request_id === requestId)
    .length;

describe('the shop', () => {
  it('sells a basket by QR code: token, phone, thank-you page', async () => {
    const page = await shop.open('/', { viewport: { width: 1280, height: 900 } });
    await page.click('[data-sku="huila"]');
    await page.click('[data-sku="mint"]');
    await page.click('text=Basket (2)');
    await page.click('text=To the checkout');
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    assert.deepEqual([last().fields.amount, last().fields.currency], ['1380.25', 'RUB']);

    const qr = page.locator('pay-checkout [part~="qr"] path').last();
    const before = await qr.getAttribute('d');
    await page.reload();
    await inPhase(page, 'awaiting_payment');
    assert.ok(before === (await qr.getAttribute('d')), 'the same QR code');

    await page.frameLocator('iframe').locator('button.main').first().click();
    await page.waitForURL(/thank-you/);
    await page.locator('#result[data-state="paid"]').waitFor();
    assert.equal(paysOf(last().request_id), 1);
    await page.context().close();
  });

  it('does not believe the address of the thank-you page', async () => {
    const page = await shop.open('/thank-you.html?order=made-up&status=succeeded');
    await page.getByText('No such order').waitFor();
    await page.context().close();
  });
});

describe('the ways to pay', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(`qrcode answered by qrcode_string, read back from a screenshot in the ${colorScheme} theme`, async () => {
      const page = await shop.open('/donate.html', { colorScheme, viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
      await choose(page, 'sbp_qr');
      const element = await inPhase(page, 'awaiting_payment');
      assert.equal(await readQr(element.locator('[part~="qr"]')), last().link.qrcode_string);
      shop.demo.sandbox.orders.act(last(), 'confirm');
      await inPhase(page, 'succeeded');
      await page.context().close();
    });

  const linked: [string, string, RegExp][] = [
    ['bank_qr', 'qrcode answered by checkout_url', /\/service\/checkout\//],
    ['bank_transfer', 'virtual_account', /\/service\/account\//],
    ['sbp_wallet', 'wallet answered by wallet_url', /\/service\/wallet\//],
    ['sber_pay', 'wallet answered by checkout_url', /\/service\/checkout\//],
    ['card', 'on_line', /\/service\/checkout\//],
    ['usdt', 'on_chain with a link', /\/service\/checkout\//],
  ];
  for (const [option, what, url] of linked)
    it(what, async () => {
      const page = await shop.open('/');
      await page.click('[data-sku="cup"]');
      await page.goto(`${shop.demo.url}/checkout.html`);
      await choose(page, option);
      const element = await inPhase(page, 'awaiting_payment');
      const link = element.locator('[part~="link"]');
      const [bank] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
      await bank.waitForURL(url);
      assert.equal(await bank.evaluate(() => window.opener as unknown), null);
      assert.ok(await link.isVisible(), 'the link stays');
      await bank.locator('button.main').click();
      await bank.waitForURL(/thank-you/);
      await bank.locator('#result[data-state="paid"]').waitFor();
      await page.waitForURL(/thank-you/);
      assert.equal(paysOf(last().request_id), 1);
      await page.context().close();
    });

  it('on_chain without a link', async () => {
    const page = await shop.open('/tee.html');
    await choose(page, 'btc');
    const element = await inPhase(page, 'awaiting_payment');
    assert.equal(await element.locator('[part~="link"]').count(), 0);
    assert.deepEqual([last().fields.amount, last().fields.currency, last().fields.pay_currency], ['39.80', 'USD', 'BTC']);
    shop.demo.sandbox.orders.act(last(), 'confirm');
    await inPhase(page, 'succeeded');
    await page.context().close();
  });

  it('a deposit address with a tag and without, both copied raw', async () => {
    const page = await shop.open('/deposit.html');
    const element = await inPhase(page, 'showing_deposit_address');
    const address = await element.locator('[part~="address"]').getAttribute('data-value');
    const tag = await element.locator('[part~="tag"]').getAttribute('data-value');
    assert.match(address ?? '', /^r/);
    await element.locator('[part~="copy"]').first().click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    await element.locator('[part~="copy"]').nth(1).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), tag);
    assert.equal(await readQr(element.locator('[part~="qr"]')), `ripple:${address}?dt=${tag}`);
    for (const [code, text] of [
      ['address', address],
      ['tag', tag],
    ]) {
      await element.locator(`[data-code="${code}"]`).click();
      assert.equal(await readQr(element.locator('[part~="qr"]')), text);
    }
    await page.click('[data-currency="BTC"]');
    await element.locator('[part~="address"][data-value^="bc1"]').waitFor();
    assert.equal(await element.locator('[part~="tag"]').count(), 0);
    await page.context().close();
  });
});

describe('what the customer does', () => {
  it('two tabs show one order', async () => {
    const page = await shop.open('/donate.html');
    await choose(page, 'card');
    await inPhase(page, 'awaiting_payment');
    const second = await page.context().newPage();
    await second.goto(`${shop.demo.url}/donate.html`);
    await inPhase(second, 'awaiting_payment');
    shop.demo.sandbox.orders.act(last(), 'confirm');
    await Promise.all([inPhase(page, 'succeeded'), inPhase(second, 'succeeded')]);
    assert.equal(paysOf(last().request_id), 1);
    await page.context().close();
  });

  it('pays late after an expiry', async () => {
    const page = await shop.open('/donate.html');
    await choose(page, 'card');
    await inPhase(page, 'awaiting_payment');
    shop.demo.sandbox.orders.act(last(), 'expire');
    await inPhase(page, 'expired');
    shop.demo.sandbox.orders.act(last(), 'pay_late');
    await inPhase(page, 'succeeded');
    await page.context().close();
  });

  it('finds its way back after being offline', async () => {
    const page = await shop.open('/donate.html');
    await choose(page, 'card');
    await inPhase(page, 'awaiting_payment');
    await page.context().setOffline(true);
    shop.demo.sandbox.orders.act(last(), 'confirm');
    await page.context().setOffline(false);
    await inPhase(page, 'succeeded');
    await page.context().close();
  });
});

describe('the script tag', () => {
  it('writes no style attribute, fetches no picture and no font, and lives under a strict policy', async () => {
    const page = await shop.open('/service/phone');
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
    await page.route('**/strict.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        headers: {
          'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'",
        },
        body: '<!doctype html><script src="/pay/pay-checkout.js"></script><pay-checkout amount="5" currency="USD" product-name="A tree"></pay-checkout>',
      }),
    );
    await page.goto(`${shop.demo.url}/strict.html`);
    requests.length = 0;
    await choose(page, 'sbp_qr');
    const element = await inPhase(page, 'awaiting_payment');
    await element.locator('[part~="qr"]').waitFor();
    assert.deepEqual(problems, []);
    assert.equal(await page.evaluate(() => document.querySelector('pay-checkout')?.shadowRoot?.querySelectorAll('[style]').length), 0);
    assert.deepEqual([...new Set(requests)], ['fetch /pay/v1/pay', 'fetch /pay/v1/query']);
    await page.context().close();
  });
});
