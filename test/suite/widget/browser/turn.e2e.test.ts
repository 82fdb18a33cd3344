/** Eight orders on one page, over a connection without HTTP/2: each one is told soon. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openShop, type Shop } from '../../support/demo-shop.js';

const ORDERS = 8;
/** Far less than the 25 seconds for which the relay holds a request open. */
const SOON_MS = 6_000;

let shop: Shop;
before(async () => (shop = await openShop()));
after(() => shop.close());

describe('eight orders on one page', () => {
  it('do not wait for the end of each other’s long waits', async () => {
    const page = await shop.open('/donate.html');
    await page.locator('pay-checkout[phase="choosing"]').waitFor();
    const options = { option: 'sbp_qr', currency: 'USD' };
    await page.evaluate(
      ({ count, option, currency }) => {
        document.querySelector('pay-checkout')?.remove();
        for (let number = 1; number <= count; number++) {
          const element = document.createElement('pay-checkout');
          const attributes = { option, currency, 'product-name': 'Trees', amount: `${number}.50` };
          for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
          document.body.append(element);
        }
      },
      { count: ORDERS, ...options },
    );
    const elements = page.locator('pay-checkout');
    const inPhase = page.locator('pay-checkout[phase="awaiting_payment"]');
    const placedMs: number[] = [];
    for (let number = 0; number < ORDERS; number++) {
      const pressedMs = performance.now();
      await elements.nth(number).locator('[data-action="pay"]').click();
      await inPhase.nth(number).waitFor();
      placedMs.push(performance.now() - pressedMs);
    }
    const { orders } = shop.demo.sandbox;
    assert.equal(orders.all().length, ORDERS);
    const paidMs = performance.now();
    for (const order of orders.all()) orders.act(order, 'confirm');
    await page
      .locator('pay-checkout[phase="succeeded"]')
      .nth(ORDERS - 1)
      .waitFor();
    const toldMs = performance.now() - paidMs;
    const slowestMs = Math.max(...placedMs);
    console.log(`figures: slowest pay ${Math.round(slowestMs)} ms, told ${Math.round(toldMs)} ms`);
    assert.ok(slowestMs < SOON_MS && toldMs < SOON_MS);
  });
});
