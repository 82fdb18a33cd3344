/** The second script of the element in Chromium: late, missing, or tampered with. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { SandboxOrder } from '../../../../relay/sandbox/orders.js';
import {
  choose,
  inPhase,
  lastOrderOf,
  openShop,
  whenPatient,
  type Shop,
} from '../../support/demo-shop.js';

const SECOND_SCRIPT = /pay-checkout-later\.[0-9a-f]{16}\.js$/;

let shop: Shop;
before(async () => (shop = await openShop()));
after(() => shop.close());

const lastOrder = (): SandboxOrder => lastOrderOf(shop.demo);

/** Opens a page whose second script is answered by `answer`. */
async function openWith(
  answer: Parameters<Page['route']>[1],
  options?: BrowserContextOptions,
): Promise<{ page: Page; asked: string[] }> {
  const page = await shop.open('/about:blank', options);
  const asked: string[] = [];
  await page.route(SECOND_SCRIPT, async (route, request) => {
    asked.push(new URL(request.url()).pathname);
    await answer(route, request);
  });
  await page.goto(`${shop.demo.url}/donate.html`);
  return { page, asked };
}

describe('the second script', () => {
  it('the second script is asked for only once the code is on the page', async () => {
    const { page, asked } = await openWith((route) => route.continue());
    await inPhase(page, 'choosing');
    assert.deepEqual(asked, []);
    await choose(page, 'sbp_qr');
    const element = await whenPatient(page, 'awaiting_payment');
    await element.locator('[part~="qr"]').waitFor();
    await element.locator('summary', { hasText: 'More' }).click();
    await element.getByText('Copy a link for another device').waitFor();
    assert.equal(asked.length, 1);
    await page.context().close();
  });

  it('the code is payable and the result readable when the second script never comes', async () => {
    const { page, asked } = await openWith((route) => route.abort());
    await choose(page, 'sbp_qr');
    const element = await whenPatient(page, 'awaiting_payment');
    await element.locator('[part~="qr"]').waitFor();
    await element.locator('[part~="copy"]').click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, lastOrder().link.qrcode_string);
    await page.evaluate(() => {
      document.addEventListener('pay-succeeded', () => (document.title = 'paid'));
    });
    shop.demo.sandbox.orders.act(lastOrder(), 'confirm');
    await inPhase(page, 'succeeded');
    await element.locator('h2', { hasText: /^Paid / }).waitFor();
    await page.waitForFunction(() => document.title === 'paid');
    assert.equal(await element.locator('.tick').count(), 0);
    assert.notEqual(asked.length, 0);
    await page.context().close();
  });

  it('a phone shows the code and its copy when the second script never comes', async () => {
    const { page, asked } = await openWith((route) => route.abort(), {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await choose(page, 'sbp_qr');
    const element = await inPhase(page, 'awaiting_payment');
    await element.locator('[part~="qr"]').waitFor();
    await element.locator('[part~="copy"]').waitFor();
    assert.notEqual(asked.length, 0);
    await page.context().close();
  });

  it('the link to the payment page is offered when the second script never comes', async () => {
    const { page } = await openWith((route) => route.abort());
    await choose(page, 'card');
    const element = await inPhase(page, 'awaiting_payment');
    const link = element.locator('a[part~="link"]');
    assert.equal(await link.getAttribute('href'), lastOrder().link.checkout_url);
    await page.context().close();
  });

  it('the second script does not run when it differs from the hash in the first', async () => {
    const { page, asked } = await openWith(async (route) => {
      const answer = await route.fetch();
      const body = `globalThis.tampered = true;${await answer.text()}`;
      await route.fulfill({ response: answer, body });
    });
    await choose(page, 'sbp_qr');
    const element = await inPhase(page, 'awaiting_payment');
    shop.demo.sandbox.orders.act(lastOrder(), 'confirm');
    await inPhase(page, 'succeeded');
    await element.locator('h2', { hasText: /^Paid / }).waitFor();
    assert.notEqual(asked.length, 0);
    assert.equal(await page.evaluate(() => 'tampered' in globalThis), false);
    await page.context().close();
  });

  for (const [what, comes] of [
    ['comes late', true],
    ['never comes', false],
  ] as const)
    it(`a modal waits for its styles, but not for ever, when the script ${what}`, async () => {
      let answer = (): void => {};
      const asked = new Promise<void>((resolve) => (answer = resolve));
      const { page } = await openWith(async (route) => {
        await asked;
        await (comes ? route.continue() : route.abort());
      });
      await inPhase(page, 'choosing');
      const opened = await page.locator('pay-checkout').evaluate(async (element) => {
        element.setAttribute('display', 'modal');
        await (element as HTMLElement & { updateComplete: Promise<boolean> }).updateComplete;
        const dialog = element.shadowRoot?.querySelector<HTMLDialogElement>('dialog.modal');
        (element as HTMLElement & { show(): void }).show();
        return dialog?.open;
      });
      assert.equal(opened, false, 'an unstyled modal is open');
      answer();
      const dialog = page.locator('pay-checkout dialog.modal');
      // the dialog opens in the moment in which its styles are there
      const position = await page.waitForFunction(() => {
        const root = document.querySelector('pay-checkout')?.shadowRoot;
        const bar = root?.querySelector('dialog.modal[open] .bar');
        return bar && getComputedStyle(bar).position;
      });
      assert.equal(await position.jsonValue(), comes ? 'sticky' : 'static');
      assert.equal(await dialog.locator('h2:focus').count(), 1);
      await page.context().close();
    });

  it('a problem is shown only once its whole text has loaded', async () => {
    const { page } = await openWith((route) => route.continue());
    await page.route('**/v1/checkout', (route) => route.abort());
    await page.reload();
    const element = await inPhase(page, 'problem');
    assert.match(
      (await element.locator('[part~="problem"]').textContent()) ?? '',
      /We cannot reach the payment page’s server/,
    );
    await page.context().close();
  });
});
