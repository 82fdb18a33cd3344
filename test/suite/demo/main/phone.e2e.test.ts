/**
 * The element on a phone, and the sandbox’s phone beside the shop: accessible by every rule of axe,
 * and always up to date.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { withPhoneOrder } from '../../../../demo/phone-orders.js';
import type { SandboxOrder } from '../../../../relay/sandbox/orders.js';
import { brokenRules } from '../../support/axe.js';
import { choose, inPhase, openShop, type Shop, lastOrderOf } from '../../support/demo-shop.js';

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
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
    for (const option of ['card', 'khqr', 'sbp_qr']) await place(option);
    const [declined, paid] = shop.demo.sandbox.orders.all().slice(-3);
    assert.ok(declined && paid);
    shop.demo.sandbox.orders.act(declined, 'decline');
    shop.demo.sandbox.orders.act(paid, 'confirm');
    const order = last().order_no;
    const all = shop.demo.sandbox.orders.all().map(({ request_id }) => request_id);
    const cookie = all.reduce(withPhoneOrder, '').split(';')[0] ?? '';
    const extraHTTPHeaders = { cookie };
    for (const colorScheme of ['light', 'dark'] as const)
      for (const path of ['phone', `checkout/${order}`, `account/${order}`, 'done']) {
        const viewport = { width: 288, height: 600 };
        const page = await shop.open(`/service/${path}`, {
          colorScheme,
          extraHTTPHeaders,
          viewport,
        });
        assert.deepEqual(await brokenRules(page), [], `${path}, ${colorScheme}`);
        if (path === 'phone') assert.equal(await page.locator('.card').count(), 3);
        const tooWide = await page.evaluate(() => document.body.scrollWidth > innerWidth);
        assert.equal(tooWide, false, path);
        await page.context().close();
      }
  });

  it('the sandbox’s phone shows an order once it is placed, and keeps the focus', async () => {
    const customer = await place('khqr');
    const phone = await customer.context().newPage();
    await phone.goto(`${shop.demo.url}/service/phone`);
    const number = phone.getByText(last().order_no);
    await number.waitFor();
    await phone.getByRole('heading', { name: 'Pay Bean & Leaf' }).waitFor();
    const confirm = phone.getByRole('button', { name: 'Confirm payment' });
    await confirm.focus();
    await phone.keyboard.press('Enter');
    await inPhase(customer, 'succeeded');
    await confirm.waitFor({ state: 'detached' });
    assert.equal(await phone.evaluate(() => document.activeElement?.id), 'orders');
  });

  it('the phone of a visitor shows and changes no payment of another visitor', async () => {
    const first = await place('khqr');
    const { order_no } = last();
    const second = await place('card');
    const seen = (page: Page): FrameLocator => page.frameLocator('.phone iframe');
    await seen(second).getByText(last().order_no).waitFor();
    assert.equal(await seen(second).getByText(order_no).count(), 0);
    await seen(first).getByText(order_no).waitFor();
    assert.equal(await seen(first).getByText(last().order_no).count(), 0);
    const pressed = await second.request.post(`${shop.demo.url}/service/phone/orders/${order_no}`, {
      form: { action: 'confirm' },
    });
    assert.equal(pressed.status(), 404);
    await first.goto(`${shop.demo.url}/deposit.html`);
    await seen(first).getByRole('button', { name: 'Confirm payment' }).click();
    await first.goto(`${shop.demo.url}/donate.html`);
    await inPhase(first, 'succeeded');
  });
});

describe('the element on a phone', () => {
  const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
  const openState = async (state: string, theme = 'light'): Promise<Page> => {
    const query = new URLSearchParams({ state, theme, still: '', bare: '' });
    const page = await shop.open(`/playground.html?${query}`, PHONE);
    await page.locator('body[data-settled]').waitFor();
    return page;
  };

  /** The stage of the playground has no title of its own. */
  const brokenInElement = async (page: Page): Promise<string[]> =>
    (await brokenRules(page)).filter((rule) => !/^page-has-heading/.test(rule));

  it('a phone shows at most one primary and two other actions, all large enough', async () => {
    const page = await openState('all');
    const wrong = await page.evaluate(() =>
      [...document.querySelectorAll('pay-checkout')].flatMap((element) => {
        const name = element.closest('figure')?.dataset.state ?? '';
        const actions = [
          ...(element.shadowRoot?.querySelectorAll<HTMLElement>('button, a[href]') ?? []),
        ].filter(
          (action) =>
            action.getClientRects().length > 0 &&
            !action.closest('details:not([open]), dialog, [part~="address"] ~ *, .copy-field') &&
            !action.matches('[part~="qr"]'),
        );
        const primary = actions.filter((action) => action.classList.contains('primary'));
        const small = actions.filter((action) => {
          const { height, width } = action.getBoundingClientRect();
          return Math.min(height, width) < 43.5;
        });
        // where nothing opened, the customer may need each of the other roads
        const others = name.startsWith('nothing opened') ? 6 : 2;
        const isRight =
          primary.length <= 1 && actions.length - primary.length <= others && small.length === 0;
        return isRight ? [] : [name];
      }),
    );
    assert.deepEqual(wrong, []);
  });

  for (const theme of ['light', 'dark'])
    it(`a phone breaks no rule of axe in any state in ${theme}`, async () => {
      const page = await openState('all', theme);
      assert.deepEqual(await brokenInElement(page), []);
    });

  for (const [state, action, next] of [
    ['on a phone, the code opens the app', 'Open in your banking app', /^Confirm the payment/],
    ['on a phone, the code is saved', 'Save code', /^Open your banking app and pick/],
    ['awaiting_payment', 'Copy payment code', /^Open your banking app and paste/],
    ['awaiting open_wallet', 'Open the wallet', /^Confirm the payment/],
  ] as const)
    it(`a phone offers “${action}” first when it shows ${state}`, async () => {
      const page = await openState(state);
      const element = page.locator('pay-checkout');
      assert.equal((await element.locator('.primary').innerText()).trim(), action);
      assert.equal(await element.locator('[part~="qr"]').isVisible(), false);
      assert.equal(await element.locator('h2').innerText(), 'Pay on this device');
      const steps = element.locator('.steps > li');
      assert.equal((await steps.nth(0).innerText()).trim(), action);
      assert.match(await steps.nth(1).innerText(), next);
      assert.deepEqual(await brokenInElement(page), []);
    });

  it('a phone ticks the step that is done, and begins every row at one line', async () => {
    const page = await openState('awaiting_payment');
    const element = page.locator('pay-checkout');
    await element.locator('.primary').tap();
    await element.locator('.steps > .done').waitFor();
    const rows = await element
      .locator('.waiting, .secondary > .quiet, .secondary summary')
      .evaluateAll((all) =>
        all.map((row) => {
          const { height, left, right } = row.getBoundingClientRect();
          return { left, right, isHigh: height >= 36 };
        }),
      );
    assert.equal(rows.length, 4);
    for (const row of rows) assert.deepEqual(row, { ...rows[0], isHigh: true });
  });

  it('a phone saves the code as a picture, and opens the link of a code', async () => {
    const saving = await openState('on a phone, the code is saved');
    const [file] = await Promise.all([
      saving.waitForEvent('download'),
      saving.locator('pay-checkout .primary').tap(),
    ]);
    assert.equal(file.suggestedFilename(), 'payment.png');
    await saving.context().close();
    const opening = await openState('on a phone, the code opens the app');
    const link = opening.locator('pay-checkout a.primary');
    assert.equal(await link.getAttribute('href'), 'https://qr.nspk.ru/AS10003P');
  });
});
