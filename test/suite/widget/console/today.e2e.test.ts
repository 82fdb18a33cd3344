/** The first page of the console: what sold, what hangs, and what is printed and saved of it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { HOUR_MS } from '../../../../relay/contract/durations.js';
import { letterShop } from '../../relay/operator/letter-shop.js';
import { createWorld, until } from '../../support/world.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const world = createWorld({
  config: { shop_events: { url: 'http://127.0.0.1:9/hooks', secret: { env: 'SECRET' } } },
  shopFetch: async () => new Response('', { status: 500 }),
});
const shop = letterShop(world, world.sandbox);
let browser: ConsoleBrowser;
before(async () => {
  const paid = await shop.pay('order-paid', 'c-paid');
  await shop.seen(paid, 20, 'succeeded');
  world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
  await shop.pay('order-review', 'c-review');
  const odd = await shop.pay('order-unmapped', 'c-unmapped');
  await shop.seen(odd, 77, 'unmapped');
  await giveUp();
  browser = await openConsole(world);
});
afterEach(() => browser.closePages());
after(() => browser.close());

/** Every event has failed once, and fails for the last time. */
async function giveUp(): Promise<void> {
  const { ledger, relay } = world;
  await until(async () => {
    await relay.tick();
    const events = await ledger.undelivered();
    return events.length > 0 && events.every(({ tries }) => tries > 0);
  }, 'every delivery has failed');
  const later = Date.now() + 24 * HOUR_MS;
  for (const event of await ledger.leaseDueEvents(later, later + 1, 9))
    await ledger.recordDelivery(event, { nextTryAt: null, failure: 'HTTP 500' });
}

/** What the page says beside a name. */
const said = async (page: Page, name: string): Promise<string> => {
  const term = page.locator('dt', { hasText: new RegExp(`^${name}$`) });
  return (await term.locator('xpath=following-sibling::dd[1]').innerText()).trim();
};

describe('the page Today', () => {
  it('says what hangs, and never that all is delivered when an event was given up', async () => {
    const page = await browser.signIn();
    assert.match(
      await said(page, 'Purchases in review'),
      /^1, the oldest for (\d+ min ?)?(\d+ s)?$/,
    );
    assert.match(await said(page, 'Purchases with an unmapped status'), /^1, the oldest for/);
    assert.equal(await said(page, 'Purchases that are confirming'), 'none');
    const events = await said(page, 'Events for the shop');
    assert.match(events, /^\d not received, and not tried any more$/);
    await page.getByRole('link', { name: events }).click();
    await page.getByText('given up: HTTP 500').first().waitFor();
  });

  it('leads from the purchases in review to what to do about them', async () => {
    const page = await browser.signIn();
    await page
      .getByRole('link', { name: /^1, the oldest for/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'To do' }).waitFor();
    await page.getByText('amount mismatch').waitFor();
  });

  it('leads from what is paid to what of it is to be paid back', async () => {
    const page = await browser.signIn();
    await page.getByRole('link', { name: 'payments that are to be paid back' }).click();
    await page.getByText('No order is like this.').waitFor();
  });

  it('says how the service answers', async () => {
    const page = await browser.signIn();
    assert.equal(await said(page, 'Circuit breaker'), 'closed');
    assert.equal(
      await said(page, 'Calls of the service'),
      '1200 ok, 3 refused since this relay began',
    );
    assert.equal(await said(page, 'Their latency'), 'half ended within 0.05 s, 95 % within 2.5 s');
  });

  it('has the success rate of all orders', async () => {
    const page = await browser.signIn();
    const tile = page.locator('.tile').filter({ hasText: 'Success rate' });
    assert.match(await tile.innerText(), /33 %\s*a week before: –/);
  });

  it('breaks no amount between its digits', async () => {
    const page = await browser.signIn({ viewport: { width: 1366, height: 768 } });
    await page.route('**/console/api/today', async (route) => {
      const text = await (await route.fetch()).text();
      const amounts = '"paid_amounts":{"USD":"59.72","RUB":"2470635.78","IDR":"1234567890.00"}';
      await route.fulfill({ body: text.replaceAll(/"paid_amounts":{[^}]*}/g, amounts) });
    });
    await page.reload();
    const amounts = page.locator('.tile b');
    await page.getByText('Paid in IDR').waitFor();
    for (const amount of await amounts.all()) {
      const { height = 0 } = (await amount.boundingBox()) ?? {};
      assert.equal(height, 30, await amount.innerText());
    }
  });

  it('names the hour from which it counts, because the last one is not over', async () => {
    const page = await browser.signIn();
    const now = Date.now();
    const first = new Date(now - (now % HOUR_MS) - 23 * HOUR_MS);
    const hour = first.toLocaleTimeString('sv').slice(0, '00:00'.length);
    const since = first.getDate() === new Date(now).getDate() ? hour : `yesterday, ${hour}`;
    await page
      .locator('.tile')
      .filter({ hasText: `Orders since ${since}` })
      .waitFor();
    await page.getByText(`Ways to pay since ${since}`).waitFor();
  });

  it('names each hour by its own clock on the day of a clock change', async () => {
    const page = await browser.signIn({ timezoneId: 'Europe/Berlin' });
    const first = Date.parse('2026-10-24T12:00:00Z');
    await page.route('**/console/api/today', async (route) => {
      const told = (await (await route.fetch()).json()) as { last_day: { hours: object[] } };
      const hours = told.last_day.hours.map((hour, index) => ({
        ...hour,
        from: new Date(first + index * HOUR_MS).toISOString(),
      }));
      await route.fulfill({ json: { ...told, last_day: { ...told.last_day, hours } } });
    });
    await page.reload();
    await page.getByText('The same as a table').click();
    await page.getByText('Orders since yesterday, 14:00').first().waitFor();
    const rows = page.getByRole('row').filter({ hasText: /^\d\d:00/ });
    const hours = (await rows.allInnerTexts()).map((row) => row.slice(0, 2));
    assert.equal(hours.length, 24);
    assert.deepEqual(hours.slice(10, 15), ['00', '01', '02', '02', '03']);
  });

  it('draws no bars, and names no highest one, when nobody has ordered', async () => {
    const page = await browser.signIn();
    await page.route('**/console/api/today', async (route) => {
      const text = await (await route.fetch()).text();
      await route.fulfill({ body: text.replaceAll(/"orders":\d+/g, '"orders":0') });
    });
    await page.reload();
    await page.getByText('No order in these hours').waitFor();
    assert.equal(await page.getByText('The highest bar').count(), 0);
  });

  it('saves what it shows: the money of each hour, and the week before', async () => {
    const page = await browser.signIn();
    await page.getByText('The same as a table').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const [head = '', ...rows] = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    assert.equal(head, 'from,local,orders,paid,orders_week_before,USD');
    assert.equal(rows.length, 24);
    assert.deepEqual(
      rows.map((row) => row.split(',').at(-1)).filter((amount) => amount !== ''),
      ['12.50'],
    );
  });

  it('prints the table behind the picture, which a screen reader does not see', async () => {
    const page = await browser.signIn();
    const hour = page.getByRole('columnheader', { name: 'Hour' });
    assert.equal(await hour.isVisible(), false);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await hour.isVisible(), true);
  });
});
