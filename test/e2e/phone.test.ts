/** The customer’s phone beside the shop: accessible by every rule of axe, and always up to date. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { SandboxOrder } from '../../relay/sandbox/orders.js';
import { brokenRules } from './axe.js';
import { choose, inPhase, openShop, type Shop, lastOrderOf } from './shop.js';

let shop: Shop;
before(async () => (shop = await openShop()));
after(() => shop.close());

const last = (): SandboxOrder => lastOrderOf(shop.demo);

/** Places an order in the shop. */
async function place(option: string): Promise<Page> {
  const page = await shop.open('/donate.html', { viewport: { width: 1280, height: 900 } });
  await choose(page, option);
  await inPhase(page, 'awaiting_payment');
  return page;
}

describe('the customer’s phone', () => {
  it('the sandbox’s phone breaks no rule of axe in any state and theme', async () => {
    const pages: Page[] = [];
    for (const option of ['card', 'khqr', 'sbp_qr']) pages.push(await place(option));
    const [declined, paid] = shop.demo.sandbox.orders.all().slice(-3);
    assert.ok(declined && paid);
    shop.demo.sandbox.orders.act(declined, 'decline');
    shop.demo.sandbox.orders.act(paid, 'confirm');
    const order = last().order_no;
    for (const colorScheme of ['light', 'dark'] as const)
      for (const path of ['phone', `checkout/${order}`, `account/${order}`, 'done']) {
        const viewport = { width: 288, height: 600 };
        const page = await shop.open(`/service/${path}`, { colorScheme, viewport });
        assert.deepEqual(await brokenRules(page), [], `${path}, ${colorScheme}`);
        const tooWide = await page.evaluate(() => document.body.scrollWidth > innerWidth);
        assert.equal(tooWide, false, path);
        await page.context().close();
      }
    for (const page of pages) await page.context().close();
  });

  it('the sandbox’s phone shows an order once it is placed, and keeps the focus', async () => {
    const phone = await shop.open('/service/phone');
    const customer = await place('khqr');
    const number = phone.getByText(last().order_no);
    await number.waitFor();
    await phone.getByRole('heading', { name: 'Pay Bean & Leaf' }).waitFor();
    const confirm = phone.getByRole('button', { name: 'Confirm payment' });
    await confirm.focus();
    await phone.keyboard.press('Enter');
    await inPhase(customer, 'succeeded');
    await confirm.waitFor({ state: 'detached' });
    assert.equal(await phone.evaluate(() => document.activeElement?.id), 'orders');
    await phone.context().close();
    await customer.context().close();
  });
});
