/** The page in special environments: blocked popups, phones, in-app browsers and iframes. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  choose,
  inPhase,
  lastOrderOf,
  openShop,
  readQr,
  whenPatient,
  type Shop,
} from '../../support/demo-shop.js';

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

const PHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1';

/** Pays by card; returns the link to the payment page. */
async function payByCard(page: Page): Promise<Locator> {
  await choose(page, 'card');
  const element = await whenPatient(page, 'awaiting_payment');
  return element.locator('[part="link"]');
}

describe('a payment page', () => {
  it('opens the payment page in a tab without an opener, and keeps a link to it', async () => {
    const page = await shop.open('/donate.html');
    const link = await payByCard(page);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.waitForLoadState();
    assert.match(opened.url(), /\/service\/checkout\//);
    assert.equal(await opened.evaluate(() => window.opener as unknown), null);
    assert.match((await link.textContent()) ?? '', /Open the payment page again/);
    // closing the window does not cancel the payment
    await opened.close();
    await inPhase(page, 'awaiting_payment');
  });

  it('says that the browser blocked the popup, and then opens a tab', async () => {
    const page = await shop.open('/donate.html');
    await page
      .locator('pay-checkout')
      .evaluate((element) => element.setAttribute('open-in', 'popup'));
    const link = await payByCard(page);
    await page.evaluate(() => {
      window.open = () => null;
    });
    await link.click();
    await page.getByText('Your browser did not open the payment page').first().waitFor();
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.waitForLoadState();
    assert.match(opened.url(), /\/service\/checkout\//);
  });

  it('reuses the popup when its link is clicked again', async () => {
    const page = await shop.open('/donate.html');
    await page
      .locator('pay-checkout')
      .evaluate((element) => element.setAttribute('open-in', 'popup'));
    const link = await payByCard(page);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.waitForLoadState();
    await link.click();
    assert.equal(page.context().pages().length, 2);
  });

  for (const [where, options] of Object.entries({
    'a phone': {
      userAgent: PHONE_USER_AGENT,
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
    },
    'an app’s own browser': {
      userAgent: `${PHONE_USER_AGENT} Instagram 410.0`,
      viewport: { width: 390, height: 844 },
    },
  }))
    it(`opens the payment page without a second tap on ${where}, and finds it paid`, async () => {
      const page = await shop.open('/donate.html', options);
      await choose(page, 'card');
      await page.waitForURL(/\/service\/checkout\//);
      const paid = shop.demo.sandbox.orders.all().at(-1);
      assert.ok(paid);
      shop.demo.sandbox.orders.act(paid, 'confirm');
      await page.goBack();
      await inPhase(page, 'succeeded');
    });

  it('opens a tab when the shop is in a frame of another site', async () => {
    const frames = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<iframe src="${shop.demo.url}/donate.html" width="500" height="900"
          allow="clipboard-write"></iframe>`,
      );
    }).listen(0);
    // 127.0.0.1 and localhost are different sites
    const page = await shop.open('/');
    await page.goto(`http://127.0.0.1:${(frames.address() as AddressInfo).port}/`);
    const frame = page.frameLocator('iframe');
    await frame.locator('pay-checkout[phase="choosing"] [data-option="card"]').click();
    await frame.locator('[data-action="pay"]').click();
    const link = frame.locator('[part="link"]');
    assert.equal(await link.getAttribute('target'), '_blank');
    // a tap is ignored for 600 ms after the screen has changed
    await page.waitForTimeout(700);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.waitForLoadState();
    assert.match(opened.url(), /\/service\/checkout\//);
    frames.close();
    frames.closeAllConnections();
  });
});

describe('on a phone', () => {
  const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

  it('opens the code in the banking app, and folds the picture of it', async () => {
    const page = await shop.open('/donate.html', PHONE);
    await choose(page, 'sbp_qr');
    const element = await inPhase(page, 'awaiting_payment');
    const primary = element.locator('.primary');
    assert.equal(await primary.count(), 1);
    assert.equal((await primary.innerText()).trim(), 'Open in your banking app');
    assert.match(await element.locator('.countdown').innerText(), /^1[45]:\d\d$/);
    assert.equal(await element.locator('[part~="qr"]').isVisible(), false);
    const fold = element.locator('summary', { hasText: 'Scan with another phone' });
    await fold.evaluate((summary: HTMLElement) => summary.click());
    assert.ok((await readQr(element.locator('[part~="qr"]')))?.length);
  });

  it('pays on the page of a bank that the customer picks from the list', async () => {
    const page = await shop.open('/donate.html', PHONE);
    await choose(page, 'sbp_qr');
    const element = await whenPatient(page, 'awaiting_payment');
    const orders = shop.demo.sandbox.orders.all().length;
    await element.locator('.primary').tap();
    await element.locator('[data-action="search"]').fill('tide');
    assert.equal(await element.locator('.sheet li').count(), 2);
    const [bank] = await Promise.all([
      page.context().waitForEvent('page'),
      element.getByRole('link', { name: 'Tidewater' }).tap(),
    ]);
    await bank.getByRole('button', { name: 'Confirm payment' }).tap();
    await inPhase(page, 'succeeded');
    assert.equal(shop.demo.sandbox.orders.all().length, orders);
  });

  it('ignores taps on a button that has just appeared under the finger', async () => {
    const page = await shop.open('/donate.html', PHONE);
    let downloads = 0;
    page.on('download', () => downloads++);
    const element = await inPhase(page, 'choosing');
    await element.locator('[data-option="sbp_qr"]').tap();
    const pay = element.locator('[data-action="pay"]');
    await pay.scrollIntoViewIfNeeded();
    const box = await pay.boundingBox();
    assert.ok(box);
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let taps = 0; taps < 4; taps++) {
      await page.touchscreen.tap(x, y);
      await page.waitForTimeout(120);
    }
    await inPhase(page, 'awaiting_payment');
    assert.equal(downloads, 0);
    assert.equal(await element.locator('[data-state]').count(), 0, 'nothing was copied');
    assert.equal(await element.locator('details[open]').count(), 0, 'nothing was unfolded');
  });
});

describe('a tap on a screen that has just changed', () => {
  for (const [action, phase] of [
    ['decline', 'failed'],
    ['expire', 'expired'],
  ] as const)
    it(`places no second order when the order is ${phase} under the finger`, async () => {
      const page = await shop.open('/donate.html');
      await choose(page, 'sbp_qr');
      const element = await whenPatient(page, 'awaiting_payment');
      const { request_id } = lastOrderOf(shop.demo);
      // The click comes in the moment of the change, and no click came before it in this place.
      shop.demo.sandbox.orders.act(lastOrderOf(shop.demo), action);
      await inPhase(page, phase);
      const again = element.locator('[data-action="again"]');
      await again.click({ force: true });
      await page.waitForTimeout(100);
      assert.equal(await element.getAttribute('phase'), phase);
      await page.waitForTimeout(600);
      assert.equal(lastOrderOf(shop.demo).request_id, request_id);
      await again.click();
      await inPhase(page, 'awaiting_payment');
      assert.notEqual(lastOrderOf(shop.demo).request_id, request_id);
    });

  it('places no order by an early tap when a skeleton stood between two screens', async () => {
    const page = await shop.open('/');
    await page.route('**/v1/checkout', (route) => route.abort());
    await page.goto(`${shop.demo.url}/donate.html`);
    const element = await whenPatient(page, 'problem');
    await page.unroute('**/v1/checkout');
    // The skeleton stands longer than the time in which taps are ignored after it has appeared.
    await page.route('**/v1/checkout', async (route) => {
      await page.waitForTimeout(900);
      await route.continue();
    });
    await element.locator('button.primary').click();
    await inPhase(page, 'choosing');
    const pay = element.locator('[data-action="pay"]');
    await pay.click({ force: true });
    await page.waitForTimeout(100);
    assert.equal(await element.getAttribute('phase'), 'choosing');
    await page.waitForTimeout(600);
    await pay.click();
    await inPhase(page, 'awaiting_payment');
  });

  it('obeys the keyboard at once after the screen has changed', async () => {
    const page = await shop.open('/donate.html');
    await choose(page, 'sbp_qr');
    const element = await inPhase(page, 'awaiting_payment');
    await element.locator('[data-action="choose-again"]').press('Enter');
    await inPhase(page, 'choosing');
  });
});

describe('the QR code', () => {
  it('enlarges the QR code and saves it as a file', async () => {
    const page = await shop.open('/donate.html');
    await choose(page, 'sbp_qr');
    const element = await whenPatient(page, 'awaiting_payment');
    await element.locator('[data-action="enlarge"]').click();
    const large = element.locator('dialog.large');
    assert.ok(((await large.locator('svg').boundingBox())?.width ?? 0) > 500);
    await page.keyboard.press('Escape');
    assert.equal(await large.isVisible(), false);
    await element.locator('.more > summary').click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      element.locator('[data-action="save"]').click(),
    ]);
    assert.equal(file.suggestedFilename(), 'payment.png');
  });
});

describe('the receipt', () => {
  it('prints on one page, however long the page of the shop is', async () => {
    const page = await shop.open('/donate.html');
    await page.evaluate(() => {
      window.print = () => {};
      const long = document.createElement('div');
      long.style.cssText = 'height:3000px';
      document.body.append(long);
    });
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    shop.demo.sandbox.orders.act(lastOrderOf(shop.demo), 'confirm');
    const element = await whenPatient(page, 'succeeded');
    await element.getByText('Save receipt').click();
    const pdf = (await page.pdf()).toString('latin1');
    assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1);
  });
});

describe('a modal on a phone', () => {
  it('names the shop in the bar of the modal, and the amount once below it', async () => {
    const page = await shop.open('/donate.html', {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 480 },
    });
    await inPhase(page, 'choosing');
    await page.evaluate(() => {
      const element = document.querySelector('pay-checkout');
      element?.setAttribute('display', 'modal');
    });
    const bar = page.locator('pay-checkout .bar');
    await bar.waitFor({ state: 'attached' });
    await page.evaluate('document.querySelector("pay-checkout").show()');
    assert.equal(await page.locator('pay-checkout .summary .shop').isVisible(), false);
    const dialog = page.locator('pay-checkout dialog.modal');
    const scrolledBar = await dialog.evaluate(async (box) => {
      const root = box.getRootNode() as ShadowRoot;
      await Promise.all(root.getAnimations().map((motion) => motion.finished));
      box.scrollTo(0, box.scrollHeight);
      const line = box.querySelector('.bar')?.getBoundingClientRect();
      return { scrolled: box.scrollTop, top: (line?.top ?? NaN) - box.getBoundingClientRect().top };
    });
    assert.ok(
      scrolledBar.scrolled > 50 && Math.abs(scrolledBar.top) <= 1,
      JSON.stringify(scrolledBar),
    );
    assert.match(await bar.innerText(), /^Bean & Leaf\s*×$/);
    assert.equal(await page.locator('pay-checkout [part~="amount"]').count(), 1);
  });
});

describe('a browser inside an app that refuses its clipboard', () => {
  it('copies by the older command, although the page prevents copies', async () => {
    const page = await shop.open('/about:blank');
    await page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('Write permission denied'));
      document.addEventListener('copy', (event) => event.preventDefault(), true);
    });
    await page.goto(`${shop.demo.url}/deposit.html`);
    const element = await inPhase(page, 'showing_deposit_address');
    const address = element.locator('[part~="address"]');
    await element.locator('[part~="address"] + [part~="copy"]').click();
    await element.locator('[data-state="copied"]').waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      await address.getAttribute('data-value'),
    );
  });
});

describe('the card on special displays', () => {
  it('marks the chosen code and keeps it black on white in forced colours', async () => {
    const page = await shop.open('/playground.html?state=showing_deposit_address&still', {
      forcedColors: 'active',
      colorScheme: 'dark',
    });
    const element = await inPhase(page, 'showing_deposit_address');
    await element.locator('.codes summary').click();
    const outline = (code: string): Promise<string> =>
      element
        .locator(`[data-code="${code}"]`)
        .evaluate((button) => getComputedStyle(button).outlineStyle);
    assert.deepEqual([await outline('uri'), await outline('address')], ['solid', 'none']);
    const address = await element.locator('[part~="address"]').getAttribute('data-value');
    assert.match(
      (await readQr(element.locator('[part~="qr"]'))) ?? '',
      new RegExp(address ?? 'none'),
    );
  });

  it('draws icons, pictures and the sign of waiting as on paper in forced colours', async () => {
    const page = await shop.open('/donate.html', { forcedColors: 'active', colorScheme: 'dark' });
    const element = await inPhase(page, 'choosing');
    const styles = (selector: string, property: string): Promise<string[]> =>
      element
        .locator(selector)
        .evaluateAll(
          (all, name) => [
            ...new Set(all.map((one) => getComputedStyle(one).getPropertyValue(name))),
          ],
          property,
        );
    const text = await styles('.base', 'color');
    assert.deepEqual(await styles('.option .icon', 'stroke'), text);
    assert.deepEqual(await styles('.mark img', 'background-color'), ['rgb(255, 255, 255)']);
    await choose(page, 'sbp_qr');
    await inPhase(page, 'awaiting_payment');
    assert.deepEqual(await styles('.pulse', 'background-color'), text);
    assert.deepEqual(
      await styles('.more summary', 'color'),
      await styles('.secondary .quiet', 'color'),
    );
  });

  it('draws the system’s box and a skeleton of borders in forced colours', async () => {
    const options = { forcedColors: 'active', colorScheme: 'dark' } as const;
    const border = (part: Locator, name: string): Promise<string> =>
      part.evaluate((one, property) => getComputedStyle(one).getPropertyValue(property), name);
    const deposit = await shop.open(
      `/playground.html?state=${encodeURIComponent('a deposit behind its gate')}&still`,
      options,
    );
    const box = (await inPhase(deposit, 'showing_deposit_address')).locator('.gate input');
    assert.equal(await border(box, 'appearance'), 'auto');
    const loading = await shop.open('/playground.html?state=loading&still', options);
    const line = loading.locator('pay-checkout .skeleton i').first();
    assert.equal(await border(line, 'border-top-style'), 'solid');
  });

  for (const [what, state] of [
    ['one of many options', 'choosing among many'],
    ['one of many options beside a way back', 'choosing again among many'],
  ] as const)
    it(`keeps ${what} above the sticky button when the keyboard moves to it`, async () => {
      const query = new URLSearchParams({ state, still: '', bare: '' });
      const page = await shop.open(`/playground.html?${query}`, {
        viewport: { width: 390, height: 480 },
      });
      await page.locator('body[data-settled] [data-action="search"]').waitFor();
      const hidden: string[] = [];
      await page.locator('pay-checkout .option input').first().focus();
      for (let presses = 0; presses < 12; presses++) {
        const place = await page.locator('pay-checkout').evaluate((element) => {
          const root = element.shadowRoot;
          const row = root?.activeElement?.closest('.option');
          const bar = root?.querySelector('.sticky')?.getBoundingClientRect();
          const bottom = row?.getBoundingClientRect().bottom ?? NaN;
          return { name: row?.textContent.trim(), isClear: bottom <= (bar?.top ?? 0) + 1 };
        });
        if (!place.isClear) hidden.push(place.name ?? 'no option');
        await page.keyboard.press('ArrowDown');
      }
      assert.deepEqual(hidden, []);
    });

  it('fits the whole card into a narrow window at 200 % zoom', async () => {
    for (const state of [
      'choosing, contact data asked',
      'awaiting_payment',
      'showing_deposit_address',
    ]) {
      const query = new URLSearchParams({ state, still: '', locale: 'de', width: '320' });
      const page = await shop.open(`/playground.html?${query}`, {
        viewport: { width: 352, height: 512 },
        deviceScaleFactor: 2,
      });
      await page.locator('body[data-settled]').waitFor();
      const outside = await page.locator('pay-checkout').evaluate((element) => {
        const base = element.shadowRoot?.querySelector('.base')?.getBoundingClientRect();
        return [...(element.shadowRoot?.querySelectorAll('.base :not(.unseen, option)') ?? [])]
          .filter((inner) => {
            const { left, right, width } = inner.getBoundingClientRect();
            return base && width > 1 && (left < base.left - 1 || right > base.right + 1);
          })
          .map((inner) => inner.outerHTML.slice(0, 80));
      });
      assert.deepEqual(outside, [], state);
      await page.context().close();
    }
  });
});

describe('the page', () => {
  it('keeps the header and the title in place when the QR code arrives', async () => {
    // a screen that is still coming in stands lower
    const page = await shop.open('/donate.html', { reducedMotion: 'reduce' });
    const element = await inPhase(page, 'choosing');
    await page.route('**/v1/pay', async (route) => {
      await skeletonSeen;
      await route.continue();
    });
    const part = (selector: string): Promise<{ y: number; height: number } | null> =>
      element.locator(selector).boundingBox();
    let release = (): void => {};
    const skeletonSeen = new Promise<void>((resolve) => (release = resolve));
    await choose(page, 'sbp_qr');
    await inPhase(page, 'submitting');
    const before = [await part('.summary'), (await part('h2'))?.y];
    release();
    await inPhase(page, 'awaiting_payment');
    await element.locator('.qr-frame').waitFor();
    // The title may be longer than the one before it.
    const after = [await part('.summary'), (await part('h2'))?.y];
    assert.deepEqual(after, before, 'the header and the title keep their places');
  });
});
