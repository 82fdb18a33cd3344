/** The playground: accessible by every rule of axe, and its address holds what it shows. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { brokenRules } from '../../support/axe.js';
import { openShop, type Shop } from '../../support/demo-shop.js';

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

describe('the playground', () => {
  it('the playground shows a state in both sizes, and keeps it in the address', async () => {
    const page = await shop.open('/playground.html?state=failed', {
      viewport: { width: 1440, height: 900 },
    });
    await page.click('[data-state="succeeded"]');
    await page.selectOption('[name="locale"]', 'de');
    for (const title of ['Phone', 'Desktop'])
      await page
        .frameLocator(`iframe[title="${title}"]`)
        .locator('pay-checkout[phase="succeeded"] h2', { hasText: '48,50' })
        .waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get('state'), searchParams.get('locale')], ['succeeded', 'de']);
  });

  it('the playground paints the brand, and gives the lines to copy', async () => {
    const page = await shop.open('/playground.html?state=choosing&accent=%23cc0000&radius=4');
    const button = page
      .frameLocator('iframe[title="Phone"]')
      .locator('pay-checkout [data-action="pay"]');
    await button.waitFor();
    assert.equal(
      await button.evaluate((element) => getComputedStyle(element).backgroundColor),
      'rgb(204, 0, 0)',
    );
    await page.click('[data-copy]');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /--pay-accent: #cc0000; --pay-radius: 4px;/);
    assert.equal(await page.locator('pre').textContent(), copied);
  });

  it('the playground keeps the focus, and the groups that its reader opened', async () => {
    const page = await shop.open('/playground.html?state=failed', {
      viewport: { width: 1440, height: 900 },
    });
    await page.click('summary:has-text("Unclear")');
    const button = page.locator('[data-state="succeeded"]');
    await button.focus();
    await button.press('Enter');
    assert.ok(await button.evaluate((element) => element === document.activeElement));
    assert.ok((await page.locator('details:has-text("Unclear")').getAttribute('open')) !== null);
    assert.deepEqual(
      await page
        .locator('[aria-current]')
        .evaluateAll((all) => all.map((each) => each.getAttribute('data-state'))),
      ['succeeded'],
    );
    await page.setViewportSize({ width: 390, height: 900 });
    assert.equal(await page.locator('[name="state"]').inputValue(), 'succeeded');
  });

  it('the playground says when the browser refuses to copy', async () => {
    const page = await shop.open('/playground.html?state=failed');
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('no'));
    });
    await page.click('[data-copy]');
    await page.locator('[data-copy]', { hasText: 'Not copied' }).waitFor();
  });

  for (const width of [320, 390, 1280])
    it(`the playground cuts off no frame in a window of ${width} px`, async () => {
      const page = await shop.open('/playground.html?touch=finger', {
        viewport: { width, height: 900 },
      });
      await page.locator('iframe').first().waitFor();
      const places = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth - innerWidth,
        tops: [...document.querySelectorAll('.window')].map((figure) =>
          Math.round(figure.getBoundingClientRect().top),
        ),
        cut: [...document.querySelectorAll('.window')].filter((figure) => {
          const frame = figure.querySelector('iframe')?.getBoundingClientRect();
          return !frame || frame.right > figure.getBoundingClientRect().right + 1;
        }).length,
      }));
      assert.deepEqual([places.overflow, places.cut], [0, 0]);
      const [phone = NaN, desktop = NaN] = places.tops;
      const list = page.locator('[name="state"]');
      if (width === 1280) assert.equal(phone, desktop, 'the frames stand beside each other');
      else {
        const end = await list.evaluate((select) => select.getBoundingClientRect().bottom);
        assert.ok(end > 0 && end < phone, 'the list of states is above the pictures');
        await list.selectOption('awaiting_payment');
      }
      assert.equal(await list.isVisible(), width !== 1280);
      await page
        .frameLocator('iframe[title="Phone"]')
        .locator('pay-checkout .primary', { hasText: 'Copy' })
        .waitFor();
    });

  it('the playground breaks no rule of axe', async () => {
    const page = await shop.open('/playground.html', { viewport: { width: 1440, height: 900 } });
    for (const title of ['Phone', 'Desktop'])
      await page.frameLocator(`iframe[title="${title}"]`).locator('[part~="qr"]').waitFor();
    assert.deepEqual(await brokenRules(page), []);
  });
});
