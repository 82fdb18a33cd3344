/** The lists of orders, with what a person may write into their address and their fields. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { letterShop } from '../../relay/operator/letter-shop.js';
import { createWorld } from '../../support/world.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const world = createWorld();
const shop = letterShop(world, world.sandbox);
let browser: ConsoleBrowser;
let paid: string;
let review: string;
before(async () => {
  paid = await shop.pay('order-paid', 'c-paid');
  world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
  review = await shop.pay('order-review', 'c-review');
  browser = await openConsole(world);
});
afterEach(() => browser.closePages());
after(() => browser.close());

async function openOrders(query: string): Promise<Page> {
  const page = await browser.signIn();
  await page.evaluate((to) => void (location.hash = `#/orders${to}`), query);
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  return page;
}

describe('the lists of orders', () => {
  it('have only the orders in review for one reason', async () => {
    const page = await openOrders('');
    await page.getByRole('link', { name: paid }).waitFor();
    await page.getByLabel('Review reason').selectOption('amount mismatch');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/reason=amount_mismatch$/);
    await page.getByText('1 order:').waitFor();
    await page.getByRole('link', { name: review }).waitFor();
  });

  it('add up all that they show, and say that more may follow', async () => {
    const page = await browser.signIn();
    await page.route('**/console/api/orders/list', (route) => {
      const postData = JSON.stringify({ ...route.request().postDataJSON(), limit: 1 });
      return route.continue({ postData });
    });
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByText(/^1 order: \D*12\.50$/).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText(/^2 orders: \D*25\.00$/).waitFor();
    await page.route('**/console/api/orders/list', (route) =>
      route.fulfill({ json: { orders: [], sums: {}, cursor: 'next' } }),
    );
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Nothing so far; more may follow.').waitFor();
  });

  it('leave a wrong date out and say so', async () => {
    for (const date of ['2026-13-45', '2026-02-31', 'yesterday', '+012026-01-01']) {
      const page = await openOrders(`?from=${encodeURIComponent(date)}&to=${date.slice(0, 3)}`);
      await page.getByText(`From: “${date}” is no date`).waitFor();
      await page.getByText(`To: “${date.slice(0, 3).replace('+', ' ')}” is no date`).waitFor();
      await page.getByRole('link', { name: paid }).waitFor();
    }
  });

  it('take an empty field of the address as none', async () => {
    const page = await openOrders('?from=&outcome=&find=');
    await page.getByRole('link', { name: paid }).waitFor();
    assert.equal(await page.locator('.warning, .refused').count(), 0);
  });

  it('say that nothing is found by a text of any length and script', async () => {
    for (const text of ['é'.repeat(10_000), '🌳'.repeat(10_000), 'x'.repeat(30_000)]) {
      const page = await openOrders('');
      await page.getByLabel('What the customer sent you').fill(text);
      await page.keyboard.press('Enter');
      await page.getByText('Nothing has this identifier.').waitFor();
    }
  });
});
