/** The fixtures for Playwright pay in a real page. */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  payFixtures,
  startTestCheckout,
  type PayFixtures,
  type TestCheckout,
} from '../../../../relay/testing/index.js';
import { signOrderToken } from '../../../../widget/shop/index.js';
import { launchBrowser } from '../../support/browser.js';
import { buildWidget } from '../../support/built-widget.js';

let browser: Browser;
let shop: Server;
let checkout: TestCheckout;
let shopUrl: string;

before(async () => {
  buildWidget();
  shop = createServer((request, response) => {
    const token = new URL(request.url ?? '', shopUrl).searchParams.get('token') ?? '';
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Shop</title>
      <script src="${checkout.relay}/pay-checkout.js"></script>
      <pay-checkout order-token="${token}"></pay-checkout>`);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  shopUrl = `http://localhost:${(shop.address() as AddressInfo).port}`;
  checkout = await startTestCheckout({
    origins: [shopUrl],
    config: {
      options: [
        {
          id: 'sbp',
          label: 'SBP',
          payment_method: 'direct',
          payment_type: 'qrcode',
          payment_channel: 'sbp_qr',
        },
        { id: 'phone', label: 'By phone', payment_method: 'on_line', customer: ['phone'] },
      ],
    },
  });
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await checkout.close();
  shop.closeAllConnections();
  shop.close();
});

/** Runs a test with the fixtures, as Playwright's runner does. */
async function withFixtures(
  jti: string,
  run: (fixtures: PayFixtures & { page: Page }) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const sale = { amount: '12.50', currency: 'USD', product_name: 'A tree', customer_ref_id: 'c' };
  const token = await signOrderToken(
    { aud: checkout.relay, jti, ...sale },
    checkout.order_token_key,
  );
  await page.goto(`${shopUrl}/?token=${token}`);
  const fixtures = payFixtures({ sandbox: checkout.sandbox_url });
  await fixtures.payWith({ page }, (payWith) =>
    fixtures.customerPhone({ page }, (customerPhone) => run({ page, payWith, customerPhone })),
  );
  await page.close();
}
const inPhase = (page: Page, phase: string): Promise<void> =>
  page.locator(`pay-checkout[phase="${phase}"]`).waitFor();

describe('payFixtures', () => {
  it('the test kit pays with an option, and the customer of this page confirms', () =>
    withFixtures('order-0001', async ({ customerPhone, page, payWith }) => {
      await assert.rejects(customerPhone.confirm(), /no <pay-checkout> with an order/);
      await payWith('sbp');
      // a later order of somebody else must not be confirmed
      await withFixtures('order-0002', async (other) => {
        await other.payWith('sbp');
        await customerPhone.confirm();
        await inPhase(page, 'succeeded');
        assert.equal(await other.page.locator('pay-checkout').getAttribute('outcome'), 'pending');
      });
    }));

  it('the test kit fills in what an option asks for, and the phone declines', () =>
    withFixtures('order-0003', async ({ customerPhone, page, payWith }) => {
      await payWith('phone', { phone: '+79990000000' });
      await customerPhone.decline();
      await inPhase(page, 'failed');
      await customerPhone.payLate();
      await inPhase(page, 'succeeded');
    }));
});
