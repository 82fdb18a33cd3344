/** What the console shows when the relay does not give it what a page needs. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { signedPay } from '../../relay/operator/signed-pay.js';
import { createWorld } from '../../support/world.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const REFRESH_MS = 10_000;
const NO_ANSWER = 'The relay does not answer. Is it running?';

const world = createWorld();
let browser: ConsoleBrowser;
before(async () => {
  await signedPay(world)('order-10042', 'customer-1');
  browser = await openConsole(world);
});
afterEach(() => browser.closePages());
after(() => browser.close());

const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => void (location.hash = to), hash);
const title = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const alert = (page: Page, text: string): Promise<void> =>
  page.getByRole('alert').filter({ hasText: text }).waitFor();

describe('the console when a page cannot be loaded', () => {
  it('shows nothing of the order before under the address of another one', async () => {
    const page = await browser.signIn();
    await go(page, '#/orders/order-10042');
    await page.getByRole('button', { name: 'Check now' }).waitFor();
    await go(page, '#/orders/does-not-exist');
    await alert(page, 'does-not-exist');
    await title(page, 'Order');
    assert.equal(await page.getByRole('main').getByRole('button').count(), 0);
    assert.equal(await page.getByText('customer-1').count(), 0);
  });

  it('has the title of the page that its address names, and the focus there', async () => {
    const page = await browser.signIn();
    await go(page, '#/orders?outcome=paid');
    await alert(page, 'outcome');
    await title(page, 'Orders');
    await page.locator('h1:focus').waitFor();
    assert.equal(await page.getByText('Orders per hour').count(), 0);
  });

  it('keeps the filters that the relay refuses, so that a person can correct them', async () => {
    const page = await browser.signIn();
    await go(page, '#/orders?outcome=paid&option=card');
    await alert(page, 'outcome');
    assert.equal(await page.getByLabel('Option').inputValue(), 'card');
    await page.getByLabel('Outcome').selectOption('succeeded');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/outcome=succeeded&option=card$/);
    await page.locator('.refused').waitFor({ state: 'detached' });
  });

  it('has the title and the focus while a page still loads, and says that it does', async () => {
    const page = await browser.signIn();
    let answerNow = (): void => {};
    const isAsked = new Promise<void>((resolve) => (answerNow = resolve));
    await page.route('**/console/api/access/list', async (route) => {
      await isAsked;
      await route.continue();
    });
    await go(page, '#/access');
    await title(page, 'Access');
    await page.locator('h1:focus').waitFor();
    await page.getByRole('status').getByText('Loading…').waitFor();
    answerNow();
    await page.getByText('There is no passkey yet.').waitFor();
    assert.equal(await page.getByText('Loading…').count(), 0);
    assert.equal(await page.locator('h1:focus').count(), 1);
  });

  it('takes its words back when the relay answers again', async () => {
    const page = await browser.open();
    await page.clock.install();
    await browser.signInAt(page);
    const isCut = (url: URL): boolean => url.pathname.startsWith('/console/api/');
    await page.route(isCut, (route) => route.abort());
    await page.clock.fastForward(REFRESH_MS);
    await alert(page, NO_ANSWER);
    await page.getByText('Orders per hour').waitFor();
    await page.unroute(isCut);
    await page.clock.fastForward(REFRESH_MS);
    await page.getByText(NO_ANSWER).waitFor({ state: 'detached' });
  });

  it('says nothing of a page that the person has left', async () => {
    const page = await browser.signIn();
    let answerNow = (): void => {};
    const isLeft = new Promise<void>((resolve) => (answerNow = resolve));
    await page.route('**/console/api/orders/show', async (route) => {
      await isLeft;
      await route.abort();
    });
    const failed = page.waitForEvent('requestfailed');
    await go(page, '#/orders/order-10042');
    await go(page, '#/links');
    await title(page, 'Links');
    answerNow();
    await failed;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await page.getByText(NO_ANSWER).count(), 0);
  });
});
