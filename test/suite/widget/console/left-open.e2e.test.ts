/** A page of the console that stays open while time goes on and others act. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { KEY, READING_KEY } from '../../relay/console/console-of.js';
import { signedPay } from '../../relay/operator/signed-pay.js';
import { createWorld } from '../../support/world.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const DAY_MS = 86_400_000;
const REFRESH_MS = 10_000;

const world = createWorld();
let browser: ConsoleBrowser;
before(async () => {
  browser = await openConsole(world);
});
afterEach(() => browser.closePages());
after(() => browser.close());

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Operator key').fill(KEY);
  await page.keyboard.press('Enter');
}

describe('a page of the console that is left open', () => {
  it('asks for a new sign-in after a day, and keeps the filters of its address', async () => {
    const page = await browser.signIn();
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByLabel('Outcome').selectOption('expired');
    await page.getByLabel('Option').fill('wallet');
    const listed = page.waitForResponse(/\/orders\/list$/);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/outcome=expired&option=wallet$/);
    await listed;
    const url = page.url();
    browser.relay.clock.now += DAY_MS;
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Your session has ended.').waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
    await signInAgain(page);
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    assert.equal(page.url(), url);
    assert.equal(await page.getByLabel('Outcome').inputValue(), 'expired');
    assert.equal(await page.getByLabel('Option').inputValue(), 'wallet');

    browser.relay.clock.now += DAY_MS;
    await page.reload();
    await signInAgain(page);
    await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
    assert.equal(await page.getByLabel('Outcome').inputValue(), 'expired');
  });

  it('says nothing to the next person, and nothing while nobody is signed in', async () => {
    const id = await signedPay(world)('order-10044', 'customer-3');
    const page = await browser.open();
    await page.clock.install();
    await browser.signInAt(page);
    await page.evaluate((to) => void (location.hash = `#/orders/${to}`), id);
    const link = page.getByText(`/r#${id}~`);
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await page.getByRole('button', { name: 'Copy link for the customer' }).click();
    await link.waitFor();
    await signOut.click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.equal(await link.count(), 0);
    await page.evaluate(() => void (location.hash = '#/today'));
    await browser.signInAt(page, READING_KEY);
    assert.equal(await link.count(), 0);
    await signOut.click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.clock.fastForward(REFRESH_MS);
    await page.evaluate(() => void (location.hash = '#/links'));
    await browser.signInAt(page, KEY, 'Links');
    assert.equal(await page.locator('.refused').count(), 0);
    browser.relay.clock.now += DAY_MS;
    await page.getByRole('link', { name: 'Events' }).click();
    await page.getByText('Your session has ended.').waitFor();
  });

  it('decides nothing when the service has named another status meanwhile', async () => {
    world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
    const id = await signedPay(world)('order-10043', 'customer-2');
    const page = await browser.signIn();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.evaluate((to) => void (location.hash = `#/orders/${to}`), id);
    await page.getByLabel('Decision').selectOption('failed');
    await page.getByLabel('Why').fill('no money came');
    const { call, signIn } = browser.relay;
    const upstream = world.sandbox.orders.byRequest(id);
    assert.ok(upstream);
    world.sandbox.orders.setStatus(upstream, 20);
    await call('orders/check', { id }, await signIn());
    await page.getByRole('button', { name: 'Decide' }).click();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'has named the status 20 since' }).waitFor();
    assert.equal((await world.ledger.find(id))?.order.outcome, 'review');
  });

  it('says who has decided when a review that it still shows is over', async () => {
    world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
    const id = await signedPay(world)('order-10042', 'customer-1');
    const page = await browser.signIn();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('link', { name: 'To do' }).click();
    await page.getByRole('link', { name: id }).click();
    await page.getByLabel('Decision').selectOption('succeeded');
    await page.getByLabel('Why').fill('looks right');
    const { call, signIn } = browser.relay;
    await call('orders/resolve', { id, as: 'failed', note: 'given back' }, await signIn());
    await page.getByRole('button', { name: 'Decide' }).click();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'it is failed; Ann resolved it as failed' }).waitFor();
  });
});
