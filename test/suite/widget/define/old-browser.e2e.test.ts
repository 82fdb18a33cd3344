/** The oldest supported browsers can pay, and see a card; in older ones a sentence says why not. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { inPhase, lastOrderOf, openShop, readQr, type Shop } from '../../support/demo-shop.js';
import { pageProblems } from '../../support/page-problems.js';
import { lacking, NEEDED, SAFARI_16 } from './old-browser.js';

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

/** Saves what the test sees, to be looked at by a person. */
async function picture(element: Locator, name: string): Promise<void> {
  const folder = process.env.PICTURES;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await element.page().waitForTimeout(400);
  await element.screenshot({ path: `${folder}/old-${name}.png` });
}

async function openPage(
  attributes: string,
  functions?: readonly string[],
  width = 1280,
): Promise<Page> {
  const page = await shop.open('/about:blank', { viewport: { width, height: 900 } });
  await lacking(page.context(), functions);
  await page.route('**/old-browser', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: `<!doctype html><html lang="en"><head><title>Pay</title><link rel="icon" href="data:,">
        <meta name="viewport" content="width=device-width">
        <script src="/pay/pay-checkout.js" defer></script></head><body>
        <form><pay-checkout ${attributes}></pay-checkout></form></body></html>`,
    }),
  );
  await page.goto(`${shop.demo.url}/old-browser`);
  return page;
}

const TREE = 'amount="12.50" currency="USD" product-name="A tree" name="payment" required';

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? [])
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast of the text of a button to its ground. */
async function contrastOf(button: Locator): Promise<number> {
  const [ground, text] = await button.evaluate((node) => [
    getComputedStyle(node).backgroundColor,
    getComputedStyle(node).color,
  ]);
  const [low, high] = [luminance(ground ?? ''), luminance(text ?? '')].sort((a, b) => a - b);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

describe('in the oldest supported browsers', () => {
  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const)
    it(`a customer sees the card and pays, ${theme}, ${width} px wide`, async () => {
      const page = await openPage(`${TREE} theme="${theme}" option="sbp_qr"`, undefined, width);
      const problems = pageProblems(page);
      const element = await inPhase(page, 'choosing');
      const base = element.locator('.base');
      const border = await base.evaluate((node) => getComputedStyle(node).borderTopColor);
      const paper = await base.evaluate((node) => getComputedStyle(node).backgroundColor);
      assert.deepEqual(
        [paper, border],
        theme === 'light'
          ? ['rgb(255, 255, 255)', 'rgb(221, 225, 231)']
          : ['rgb(21, 26, 34)', 'rgb(51, 59, 72)'],
      );
      const pay = element.locator('[data-action="pay"]');
      const contrast = await contrastOf(pay);
      assert.ok(contrast > 4.5, `the text of the button can be read, has ${contrast}`);
      const amountPx = await element
        .locator('header [part="amount"]')
        .evaluate((node) => parseFloat(getComputedStyle(node).fontSize));
      assert.ok(amountPx >= 24, `the amount is large, is ${amountPx}`);
      const chosen = element.locator('.option', { has: page.locator(':checked') });
      assert.equal(
        await chosen.locator('bdi').evaluate((node) => getComputedStyle(node).fontWeight),
        '600',
      );
      assert.equal(
        await page.locator('body > form').evaluate((node: HTMLFormElement) => node.checkValidity()),
        false,
      );
      await picture(element, `choosing-${theme}`);
      await pay.click();
      await inPhase(page, 'awaiting_payment');
      await picture(element, `awaiting-${theme}`);
      assert.match((await readQr(element.locator('[part~="qr"]'))) ?? '', /./);
      const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(Number(wide) <= 0, 'nothing is wider than the window');
      const order = lastOrderOf(shop.demo);
      shop.demo.sandbox.orders.act(order, 'confirm');
      await inPhase(page, 'succeeded');
      await picture(element, `succeeded-${theme}`);
      const form = page.locator('body > form');
      assert.equal(await form.evaluate((node: HTMLFormElement) => node.checkValidity()), true);
      const sent = await form.evaluate((node: HTMLFormElement) =>
        new FormData(node).get('payment'),
      );
      assert.equal(sent, order.request_id);
      assert.deepEqual(problems, []);
    });

  for (const [browser, features] of [
    ['Safari 15.4', undefined],
    ['Safari 16', SAFARI_16],
  ] as const)
    for (const [width, wanted] of [
      [1280, 520],
      [390, 342],
    ] as const)
      it(`the card has its natural width in ${browser}, ${width} px wide`, async () => {
        const page = await shop.open('/about:blank', { viewport: { width, height: 900 } });
        await lacking(page.context(), undefined, features);
        for (const parent of ['<dialog open style="padding:0"', '<div style="display:flex"']) {
          await page.route('**/old-browser', (route) =>
            route.fulfill({
              contentType: 'text/html; charset=utf-8',
              body: `<!doctype html><html lang="en"><meta name="viewport"
                content="width=device-width"><body>${parent}><pay-checkout ${TREE}></pay-checkout>
                <script src="/pay/pay-checkout.js"></script></body></html>`,
            }),
          );
          await page.goto(`${shop.demo.url}/old-browser`);
          const element = await inPhase(page, 'choosing');
          await picture(element, `${browser}-${width}-${parent.slice(1, 4)}`);
          const base = await element.locator('.base').boundingBox();
          assert.equal(base?.width, wanted, parent);
          const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.ok(Number(wide) <= 0, 'nothing is wider than the window');
        }
      });

  it('an accent of the shop keeps the text of the button readable', async () => {
    const page = await openPage(TREE);
    const element = await inPhase(page, 'choosing');
    await page.addStyleTag({ content: 'pay-checkout { --pay-accent: #fd0 }' });
    await element.evaluate((host) => host.setAttribute('option', 'sbp_qr'));
    await page.waitForTimeout(100);
    await picture(element, 'accent');
    assert.ok((await contrastOf(element.locator('[data-action="pay"]'))) > 4.5);
  });

  it('a deposit, a problem and a modal are shown', async () => {
    const deposit = await openPage('deposit="XRP" customer-ref-id="c-1"');
    await picture(await inPhase(deposit, 'showing_deposit_address'), 'deposit');
    const wrong = await openPage('currency="USD" support-url="https://shop.example/help"');
    const problem = await inPhase(wrong, 'problem');
    await problem.locator('a[href="https://shop.example/help"]').waitFor();
    await picture(problem, 'problem');
    const modal = await openPage(`${TREE} display="modal"`);
    const element = modal.locator('pay-checkout');
    await element.locator('[data-action="pay"]').waitFor({ state: 'attached' });
    await element.evaluate((host) => (host as HTMLElement & { show(): void }).show());
    await picture(element.locator('dialog.modal'), 'modal');
    const { height } = (await element.locator('dialog.modal').boundingBox()) ?? { height: 0 };
    assert.ok(height > 200 && height <= 868, `the modal fits, is ${height}`);
    const locked = 'getComputedStyle(document.documentElement).overflowY';
    assert.equal(await modal.evaluate(locked), 'hidden');
  });

  it('shows all digits of an amount that a number cannot hold', async () => {
    const page = await openPage('amount="1" currency="USD" product-name="A tree"');
    await page.route('**/v1/checkout', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        '"amount":"2"',
        '"amount":"1.123456789012345678"',
      );
      await route.fulfill({ response, body });
    });
    const element = await inPhase(page, 'choosing');
    await element.evaluate((host) => host.setAttribute('amount', '2'));
    await element.locator('[data-amount="1.123456789012345678"]').first().waitFor();
    assert.match((await element.locator('.base').textContent()) ?? '', /1\.123456789012345678/);
  });
});

describe('in an older browser', () => {
  for (const name of NEEDED)
    it(`one sentence and the shop's link stand in place of the card, without ${name}`, async () => {
      const page = await openPage(`${TREE} support-url="https://shop.example/help"`, [name]);
      const element = page.locator('pay-checkout');
      await element.locator('a[href="https://shop.example/help"]').waitFor();
      assert.match(
        (await element.locator('p').textContent()) ?? '',
        /too old to show this payment/,
      );
    });

  for (const [address, shown] of [
    ['help.html', 'href$="/help.html"'],
    ['mailto:help@shop.example', 'href="mailto:help@shop.example"'],
    ['javascript:alert(1)', null],
  ] as const)
    it(`the link ${shown ? 'leads' : 'does not lead'} to ${address}`, async () => {
      const page = await openPage(`${TREE} support-url="${address}"`, ['Object.hasOwn']);
      const element = page.locator('pay-checkout');
      await element.getByText('too old to show this payment').waitFor();
      assert.equal(await element.locator('a').count(), shown ? 1 : 0);
      if (shown) await element.locator(`a[${shown}]`).waitFor();
    });

  it('the sentence and the link ignore white space around the attributes', async () => {
    const attributes = 'locale="\n de\u00A0 " support-url="\n https://shop.example/help "';
    const page = await openPage(`${TREE} ${attributes}`, ['Object.hasOwn']);
    const element = page.locator('pay-checkout');
    await element.getByText('Dieser Browser ist zu alt').waitFor();
    await element.locator('a[href="https://shop.example/help"]').waitFor();
  });
});
