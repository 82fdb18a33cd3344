/** The relay's own pages in a browser without JavaScript. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { askRelay, openShop, type Shop } from '../../support/demo-shop.js';

describe('without JavaScript', () => {
  let shop: Shop;
  before(async () => (shop = await openShop()));
  afterEach(() => shop.closePages());
  after(() => shop.close());

  const visit = (path: string): Promise<Page> => shop.open(path, { javaScriptEnabled: false });
  const payLink = async (): Promise<{ pay_link_id: string; path: string }> => {
    const answer = await askRelay(shop, '/v1/pay-links', {
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'c-1',
      expires_in: 3600,
    });
    const { pay_link_id, url } = (await answer.json()) as { pay_link_id: string; url: string };
    return { pay_link_id, path: new URL(url).pathname };
  };

  it('a pay link says what is to be paid, and what the page needs', async () => {
    const { path } = await payLink();
    const page = await visit(path);
    const text = await page.locator('body').innerText();
    for (const part of ['$12.50', 'A tree', 'This page needs JavaScript.'])
      assert.ok(text.includes(part), text);
    assert.ok(!text.includes('reload'), text);
  });

  it('a revoked pay link says that it does not work', async () => {
    const { path, pay_link_id } = await payLink();
    await askRelay(shop, '/v1/pay-links/revoke', { pay_link_id });
    const page = await visit(path);
    assert.equal(await page.locator('h1').innerText(), 'This link does not work');
    assert.ok(!(await page.locator('body').innerText()).includes('JavaScript'));
  });

  it('a link to an order says what the page needs', async () => {
    const page = await visit('/pay/r');
    const text = await page.locator('body').innerText();
    assert.ok(text.includes('This page needs JavaScript.'), text);
  });
});
