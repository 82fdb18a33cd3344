/** The page of a pay link in Chromium, under its own strict policy. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../support/wait.js';
import {
  askRelay,
  choose,
  inPhase,
  lastOrderOf,
  openShop,
  type Shop,
  whenPatient,
} from '../../support/demo-shop.js';
import { lacking } from '../../widget/define/old-browser.js';

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

const ask = async (path: string, body: object): Promise<Record<string, string>> =>
  (await (await askRelay(shop, path, body)).json()) as Record<string, string>;
const newLink = (change: Record<string, unknown> = {}): Promise<Record<string, string>> =>
  ask('/v1/pay-links', {
    amount: '12.50',
    currency: 'USD',
    product_name: 'A tree',
    customer_ref_id: 'c-1',
    expires_in: 600,
    ...change,
  });
/** Opens a link in a browser of its own, and collects what its policy refuses. */
async function openLink(url = ''): Promise<{ page: Page; refused: string[] }> {
  const page = await shop.open('/pay/readyz', { viewport: { width: 1000, height: 900 } });
  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  await page.goto(url);
  return { page, refused };
}

describe('the page of a pay link', () => {
  it('a pay link sells by QR code without a violation, and resumes after a reload', async () => {
    const { url } = await newLink({ uses: 5 });
    const { page, refused } = await openLink(url);
    assert.equal(shop.demo.sandbox.orders.all().length, 0);
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    await page.reload();
    await inPhase(page, 'awaiting_payment');
    const [order, ...others] = shop.demo.sandbox.orders.all();
    assert.ok(order);
    assert.deepEqual(others, []);
    shop.demo.sandbox.orders.act(order, 'confirm');
    await inPhase(page, 'succeeded');
    assert.deepEqual(refused, []);
    await page.evaluate('document.body.append(document.createElement("style"))');
    await page.evaluate('document.querySelector("body > style").textContent = "p {}"');
    assert.notEqual(refused.length, 0, 'the page reports a violation');
  });

  it('a pay link gives each browser an order of its own, until its uses are spent', async () => {
    const { pay_link_id, url } = await newLink({ uses: 2 });
    const first = await openLink(url);
    await choose(first.page, 'sbp_qr');
    await inPhase(first.page, 'awaiting_payment');
    const second = await openLink(url);
    await choose(second.page, 'sbp_qr');
    await inPhase(second.page, 'awaiting_payment');
    const third = await openLink(url);
    const usedUp = await inPhase(third.page, 'closed');
    assert.equal(await usedUp.locator('h2').textContent(), 'This link does not work');
    assert.doesNotMatch((await usedUp.locator('.base').textContent()) ?? '', /closed this order/);
    await ask('/v1/pay-links/revoke', { pay_link_id });
    for (const { page } of [first, second]) {
      await page.reload();
      await inPhase(page, 'awaiting_payment');
    }
  });

  it('has its styles, also on paper, in a browser without sheets of scripts', async () => {
    const { url } = await newLink();
    const { page, refused } = await openLink('about:blank');
    await lacking(page.context());
    await page.goto(url ?? '');
    const element = await inPhase(page, 'choosing');
    const { width = 0 } = (await element.locator('.icon').first().boundingBox()) ?? {};
    assert.ok(width > 0 && width < 40, `an icon without styles is as wide as the card: ${width}`);
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    shop.demo.sandbox.orders.act(lastOrderOf(shop.demo), 'confirm');
    const paid = await whenPatient(page, 'succeeded');
    await page.evaluate('globalThis.print = () => {}');
    await paid.locator('[data-action="receipt"]').click();
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('header').first().isVisible(), false);
    assert.deepEqual(refused, []);
  });

  it('tells a customer of an expired or a guessed link what is wrong', async () => {
    const { url } = await newLink({ expires_in: 1 });
    await until(async () => (await fetch(url ?? '')).status === 410, 'the expiry of the link');
    for (const address of [url, `${shop.demo.url}/pay/p/${'a'.repeat(26)}`]) {
      const { page, refused } = await openLink(address);
      const problem = await inPhase(page, 'problem');
      assert.match((await problem.locator('[part~="problem"]').textContent()) ?? '', /\w/);
      assert.deepEqual(refused, []);
      await page.context().close();
    }
  });
});
