/** The lists of orders, with what a person may write into their address and their fields. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { letterShop } from '../../relay/operator/letter-shop.js';
import { createWorld } from '../../support/world.js';
import { openConsole, shows, type ConsoleBrowser } from './console-browser.js';

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

async function openOrders(query: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await browser.signIn(options);
  await page.evaluate((to) => void (location.hash = `#/orders${to}`), query);
  await shows(page, 'Orders');
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

  it('have the whole last day when its clock goes back at midnight', async () => {
    const page = await openOrders('', { timezoneId: 'America/Santiago' });
    const asked = page.waitForRequest(/\/orders\/list$/);
    await page.evaluate(() => void (location.hash = '#/orders?from=2026-04-04&to=2026-04-04'));
    const { since, until } = (await asked).postDataJSON() as Record<string, unknown>;
    assert.equal(since, '2026-04-04T03:00:00.000Z');
    assert.equal(until, '2026-04-05T03:59:59.999Z');
  });

  it('leave a last day before the first one out, so that a person can correct it', async () => {
    const page = await openOrders('?from=2026-11-27&to=2026-11-26');
    await page.getByText('To is before From, and left out of the filter.').waitFor();
    await page.getByLabel('To', { exact: true }).fill('2999-11-28');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/to=2999-11-28$/);
    // the address changes before the page does
    await page.locator('.warning, .refused').waitFor({ state: 'detached' });
  });

  it('write an amount in one line, on a desk and at twice the size', async () => {
    const page = await browser.signIn({ viewport: { width: 640, height: 400 } });
    await page.route('**/console/api/orders/list', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { orders: object[] };
      const orders = body.orders.map((order) => ({ ...order, amount: '12345678.90' }));
      await route.fulfill({ json: { ...body, orders } });
    });
    for (const width of [640, 1280]) {
      await page.setViewportSize({ width, height: 400 });
      await page.getByRole('link', { name: 'Orders', exact: true }).click();
      const amount = page.getByRole('cell', { name: '12,345,678.90' }).first();
      const lines = await amount.evaluate((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      });
      assert.equal(lines, 1, `${width} px`);
    }
  });

  it('say that an option is not configured, and show a choice that is refused', async () => {
    const page = await openOrders('?option=Card');
    await page.getByText('Option: “Card” is not configured; there are qr, ').waitFor();
    await page.evaluate(() => void (location.hash = '#/orders?outcome=payed'));
    await page.locator('.refused').waitFor();
    assert.equal(await page.getByLabel('Outcome').inputValue(), 'payed');
    await page.evaluate(() => void (location.hash = '#/orders?option=card'));
    await page.getByRole('link', { name: paid }).waitFor();
    assert.equal(await page.locator('.warning').count(), 0);
  });

  it('say how much of what they show is to be paid back', async () => {
    const page = await openOrders('');
    assert.equal(await page.getByText(/^To be paid back/).count(), 0);
    await page.route('**/console/api/orders/list', async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ body: text.replace('"pay_back":null', '"pay_back":"late_payment"') });
    });
    await page.getByRole('button', { name: 'Filter' }).click();
    // the service has named another amount for this order
    await page.getByText(/^To be paid back, asked: \D*12\.50\. /).waitFor();
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
