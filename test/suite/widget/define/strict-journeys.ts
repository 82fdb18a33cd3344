/** The journeys to a payment, each from the choice of the way to pay to its end. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { choose, inPhase, readQr } from '../../support/demo-shop.js';
import type { StrictShop } from './strict-shop.js';

export const SALE = {
  amount: '12.50',
  currency: 'USD',
  product_name: 'A tree',
  customer_ref_id: 'c-1',
};

/** Clicks by script, because the element ignores a tap right after the screen has changed. */
const unfold = (element: Locator): Promise<void> =>
  element.locator('.more > summary').evaluate((summary: HTMLElement) => summary.click());

/** Asks the relay as the shop's backend does. */
export async function ask({ checkout }: StrictShop, path: string, body: object): Promise<Response> {
  const response = await fetch(checkout.relay + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${checkout.secret_key}`,
    },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return response;
}

export async function end(
  shop: StrictShop,
  page: Page,
  how: 'confirm' | 'decline' | 'expire',
  phase: string,
): Promise<void> {
  await shop.checkout.customerPhone[how]();
  const element = await inPhase(page, phase);
  await element.locator('.more, .sign, [data-action], a[part~="link"]').first().waitFor();
}

/** Each journey begins on a page of the shop with the element, in the phase of the choice. */
export const JOURNEYS: Record<string, (shop: StrictShop, page: Page) => Promise<void>> = {
  'a QR code that is enlarged and saved, to success': async (shop, page) => {
    await page.locator('pay-checkout .mark img').first().waitFor();
    await choose(page, 'qr');
    const element = await inPhase(page, 'awaiting_payment');
    assert.match((await readQr(element.locator('[part~="qr"]'))) ?? '', /^https:\/\/qr\.sandbox/);
    await unfold(element);
    const file = page.waitForEvent('download');
    await element.locator('[data-action="save"]').evaluate((button: HTMLElement) => button.click());
    await file;
    await element.locator('[data-action="enlarge"]').evaluate((qr: HTMLElement) => qr.click());
    await element.locator('dialog.large svg').waitFor();
    await page.keyboard.press('Escape');
    await end(shop, page, 'confirm', 'succeeded');
    await element.locator('.sign.good').waitFor();
  },
  'a payment page in a new tab, and back': async (shop, page) => {
    await choose(page, 'card');
    const element = await inPhase(page, 'awaiting_payment');
    await element.locator('[data-action="choose-again"]').waitFor();
    const [bank] = await Promise.all([
      page.context().waitForEvent('page'),
      element.locator('[part~="link"]').evaluate((link: HTMLElement) => link.click()),
    ]);
    await bank.waitForLoadState();
    await end(shop, page, 'confirm', 'succeeded');
  },
  'a payment page in the same tab, and back': async (shop, page) => {
    await page.locator('pay-checkout').evaluate((element) => {
      element.setAttribute('open-in', 'same-tab');
    });
    await choose(page, 'card');
    await page.waitForURL(/\/checkout\//);
    await shop.checkout.customerPhone.confirm();
    await page.goBack();
    await inPhase(page, 'succeeded');
  },
  'a wallet': async (shop, page) => {
    await choose(page, 'wallet');
    const element = await inPhase(page, 'awaiting_payment');
    const [wallet] = await Promise.all([
      page.context().waitForEvent('page'),
      element.locator('[part~="link"]').evaluate((link: HTMLElement) => link.click()),
    ]);
    await wallet.waitForLoadState();
    await end(shop, page, 'confirm', 'succeeded');
  },
  'a form that asks for contact data': async (shop, page) => {
    const element = await inPhase(page, 'choosing');
    await element.locator('[data-option="phone"]').click();
    await element.locator('[data-action="pay"]').click();
    await element.locator('input[name="phone"]').fill('+79990000000');
    await element.locator('[data-action="pay"]').click();
    await inPhase(page, 'awaiting_payment');
    await end(shop, page, 'confirm', 'succeeded');
  },
  'a failure': async (shop, page) => {
    await choose(page, 'qr');
    await inPhase(page, 'awaiting_payment');
    await end(shop, page, 'decline', 'failed');
  },
  'an order that expires': async (shop, page) => {
    await choose(page, 'qr');
    await inPhase(page, 'awaiting_payment');
    await end(shop, page, 'expire', 'expired');
  },
  'an order in review': async (shop, page) => {
    shop.checkout.sandbox.faults.add({ operation: 'pay', fault: 'wrong_code' });
    await choose(page, 'qr');
    await inPhase(page, 'review');
  },
  'a problem': async (_, page) => {
    await page.route('**/v1/pay', (route) => route.abort());
    await choose(page, 'qr');
    const element = await inPhase(page, 'problem');
    await element.locator('[part~="problem"]').waitFor();
  },
  'the link for another device, on the page /r': async (shop, page) => {
    await choose(page, 'qr');
    const element = await inPhase(page, 'awaiting_payment');
    const copy = element.locator('.more > [part="copy"]').last();
    await unfold(element);
    await copy.evaluate((button: HTMLElement) => button.click());
    await copy.and(element.locator('[data-state]')).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(`${shop.checkout.relay}/r#`), link);
    await page.goto(link);
    await (await inPhase(page, 'awaiting_payment')).locator('[part~="qr"]').waitFor();
    await end(shop, page, 'confirm', 'succeeded');
  },
  'a pay link, on the page /p/': async (shop, page) => {
    const made = await ask(shop, '/v1/pay-links', { ...SALE, expires_in: 600 });
    const { url } = (await made.json()) as { url: string };
    await page.goto(url);
    await choose(page, 'qr');
    await (await inPhase(page, 'awaiting_payment')).locator('[part~="qr"]').waitFor();
    await end(shop, page, 'confirm', 'succeeded');
  },
};
