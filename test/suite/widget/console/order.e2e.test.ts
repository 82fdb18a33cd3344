/** What a person may do on the page of one order. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { createSandbox, type Sandbox } from '../../../../relay/sandbox/sandbox.js';
import { READING_KEY } from '../../relay/console/console-of.js';
import { letterShop } from '../../relay/operator/letter-shop.js';
import { shopCode } from '../../support/merchant-codes.js';
import { createWorld, until } from '../../support/world.js';
import { openConsole, shows, type ConsoleBrowser } from './console-browser.js';

/** The code of the service's next answers to pay; null: its own. */
let code: string | null = null;
const inner = createSandbox({ publicUrl: 'https://service.example' });
const sandbox: Sandbox = {
  ...inner,
  fetch: async (request) => {
    const response = await inner.fetch(request);
    if (code === null || !request.url.endsWith('/pay')) return response;
    const body = (await response.json()) as { data: object };
    return Response.json({ ...body, data: { ...body.data, qrcode_string: code } });
  },
};
let shopAnswers = 200;
const ALL_TIMES = { since: 0, until: Number.MAX_SAFE_INTEGER };
const world = createWorld({
  sandbox,
  config: { shop_events: { url: 'http://127.0.0.1:9/hooks', secret: { env: 'SECRET' } } },
  shopFetch: async () => new Response(null, { status: shopAnswers }),
});
const shop = letterShop(world, sandbox);
let browser: ConsoleBrowser;
before(async () => {
  browser = await openConsole(world);
});
afterEach(() => browser.closePages());
after(() => browser.close());

async function openOrder(id: string, key?: string): Promise<Page> {
  const page = await browser.signIn({}, key);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.evaluate((to) => void (location.hash = `#/orders/${to}`), id);
  await shows(page, 'Order');
  return page;
}

const status = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).waitFor();
const rowOf = (page: Page, id: string): Locator => page.getByRole('row').filter({ hasText: id });

describe('the page of an order', () => {
  it('sends an event again from the timeline, for whoever may act', async () => {
    const id = await shop.pay('order-resent', 'c-resent');
    await shop.seen(id, 20, 'succeeded');
    await shop.allDelivered();
    const page = await openOrder(id);
    await page.getByRole('button', { name: 'Resend order.succeeded' }).click();
    await status(page, 'order.succeeded will be delivered again');
    await page.getByRole('listitem').filter({ hasText: 'Sent again' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Resend order.succeeded' }).count(), 1);
    const reading = await openOrder(id, READING_KEY);
    assert.equal(await reading.getByRole('button', { name: 'Resend' }).count(), 0);
  });

  it('shows its answer where the person looks who has pressed a button far below', async () => {
    const id = await shop.pay('order-below', 'c-below');
    const page = await openOrder(id);
    await page.setViewportSize({ width: 390, height: 400 });
    await page.getByRole('button', { name: "Erase this customer's data" }).click();
    const refusal = page.getByRole('alert').getByText('nothing was erased');
    await refusal.waitFor();
    const { y = -1, height = Infinity } = (await refusal.boundingBox()) ?? {};
    assert.ok(y >= 0 && y + height <= 400, `${y} px from the top, ${height} px high`);
    assert.ok((await page.evaluate(() => scrollY)) > 0);
  });

  it('tells when the service signalled, and how often', async () => {
    const id = await shop.pay('order-signals', 'c-signals');
    const first = Date.now() - 60_000;
    const signals = { first, last: first + 5000, count: 3 };
    await world.ledger.claimQuerySlot(id, Date.now(), 0, signals);
    const page = await openOrder(id);
    const told = page.getByRole('listitem').filter({ hasText: 'The service signalled' });
    assert.match(await told.innerText(), /3 times, the last \S/);
  });

  it('shows what a refused code charges beside the decision, and never the code', async () => {
    code = shopCode('99.50', '978');
    const id = await shop.pay('order-code', 'c-code', undefined, 'qr').finally(() => (code = null));
    const page = await openOrder(id);
    await page.getByText('Waits for your decision: code mismatch').waitFor();
    const charged = page.locator('dt', { hasText: 'The code charges' }).locator('+ dd');
    assert.match(await charged.innerText(), /99[.,]50?.*EUR|EUR.*99[.,]50?|€\s?99[.,]50?/);
    assert.doesNotMatch(await page.locator('body').innerText(), /000201/);
  });

  it('makes no amount of what the service named in another form', async () => {
    world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount', value: '12,50' });
    const page = await openOrder(await shop.pay('order-comma', 'c-comma'));
    const named = page.locator('dt', { hasText: 'The service named' }).locator('+ dd');
    assert.match(await named.innerText(), /^\(withheld\)\sUSD$/);
  });

  it('asks about each order that the service may have, not only about the last one', async () => {
    const first = await shop.pay('order-twice', 'c-twice');
    const second = await shop.pay('order-twice', 'c-twice', first);
    shop.statusOf(first, 20);
    const page = await openOrder(second);
    await rowOf(page, first).getByRole('button', { name: 'Check now' }).click();
    await status(page, 'The service says status 20.');
    await rowOf(page, second).getByRole('button', { name: 'Check now' }).click();
    await status(page, 'Nothing changed.');
  });

  it('says when money must be given back, or a person must decide', async () => {
    const checked = async (id: string, text: string): Promise<Page> => {
      const page = await openOrder(id);
      await rowOf(page, id).getByRole('button', { name: 'Check now' }).click();
      await status(page, text);
      return page;
    };
    const undone = await shop.pay('order-undone', 'c-undone');
    await shop.seen(undone, 20, 'succeeded');
    shop.statusOf(undone, 30);
    const decides = 'It is succeeded now, and waits for your decision (status after success).';
    await checked(undone, `The service says status 30. ${decides}`);
    const first = await shop.pay('order-both', 'c-both');
    const second = await shop.pay('order-both', 'c-both', first);
    await shop.seen(second, 20, 'succeeded');
    shop.statusOf(first, 20);
    await checked(first, 'It is succeeded now, a second payment: give it back.');
    const late = await shop.pay('order-ended', 'c-ended');
    const { call, signIn } = browser.relay;
    await call('intents/close', { id: late, reason: 'sold out' }, await signIn());
    shop.statusOf(late, 20);
    const page = await checked(late, 'It is succeeded now, paid after the close: give it back.');
    const payment = page.getByRole('listitem').filter({ hasText: 'status 20, succeeded' });
    assert.match(await payment.innerText(), /succeeded, after the close/);
  });

  it('says under the headline which payment goes back, also on a narrow screen', async () => {
    const first = await shop.pay('order-goes-back', 'c-goes-back');
    const second = await shop.pay('order-goes-back', 'c-goes-back', first);
    await shop.seen(second, 20, 'succeeded');
    await shop.seen(first, 20, 'succeeded');
    const page = await openOrder(first);
    await page.setViewportSize({ width: 390, height: 844 });
    const note = page.locator('.warning').filter({ hasText: 'pay back: duplicate payment' });
    assert.match(await note.innerText(), new RegExp(`order ${first}. Pay \\S+ back`));
    const { x = -1, width = Infinity, y = -1 } = (await note.boundingBox()) ?? {};
    assert.ok(x >= 0 && x + width <= 390 && y < 844, `${x} px, ${width} px wide, ${y} px down`);
    await page.evaluate((to) => void (location.hash = `#/orders?find=${to}`), first);
    await rowOf(page, first).getByText('pay back: duplicate payment').waitFor();
  });

  it('names the orders about which the service gave no answer when it closes', async () => {
    const id = await shop.pay('order-silent', 'c-silent');
    const page = await openOrder(id);
    sandbox.faults.add({ operation: 'query', fault: 'cut_before' });
    await page.getByLabel('Reason to close').fill('sold out');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await status(page, `The service gave no answer about ${id}, which may be paid`);
  });

  it('says that the service refused, when it did not stay silent', async () => {
    const id = await shop.pay('order-refused', 'c-refused');
    const page = await openOrder(id);
    sandbox.faults.add({ operation: 'query', fault: 'refusal', value: '5001' });
    await page.getByRole('button', { name: 'Check now' }).click();
    await status(
      page,
      'The service gave no usable answer: it refused, 5001, HTTP 200. Nothing changed.',
    );
  });

  it('asks for a decision about each order in review, and begins anew with the next', async () => {
    const inReview = (replaces?: string): Promise<string> => {
      sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
      return shop.pay('order-reviews', 'c-reviews', replaces);
    };
    const first = await inReview();
    const second = await inReview(first);
    const page = await openOrder(second);
    const questions: string[] = [];
    page.on('dialog', (dialog) => void questions.push(dialog.message()));
    const review = (id: string): Locator => page.locator('section.review').filter({ hasText: id });
    await review(first).getByLabel('Decision').selectOption('failed');
    await review(first).getByLabel('Why').fill('given back');
    await review(first).getByRole('button', { name: 'Decide' }).click();
    await review(first).waitFor({ state: 'detached' });
    assert.match(questions.join(), new RegExp(`order ${first} of .*12[.,]50.* failed`));
    assert.equal(await review(second).getByLabel('Decision').inputValue(), '');
    assert.equal(await review(second).getByLabel('Why').inputValue(), '');
    const decided = page.getByRole('listitem').filter({ hasText: 'given back' });
    assert.match(await decided.innerText(), new RegExp(first));
  });

  it('names the order of an answer that comes when the person sees another one', async () => {
    const one = await shop.pay('order-left', 'c-left');
    const other = await shop.pay('order-next', 'c-next');
    const page = await openOrder(one);
    let answerNow = (): void => {};
    const isLeft = new Promise<void>((resolve) => (answerNow = resolve));
    await page.route('**/console/api/orders/check', async (route) => {
      await isLeft;
      await route.continue();
    });
    const asked = page.waitForRequest(/orders\/check$/);
    await rowOf(page, one).getByRole('button', { name: 'Check now' }).click();
    await asked;
    await page.evaluate((to) => void (location.hash = `#/orders/${to}`), other);
    await rowOf(page, other).waitFor();
    await rowOf(page, other).getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('alert').filter({ hasText: 'still at work' }).waitFor();
    answerNow();
    await status(page, `${one}: The service says status 11.`);
    assert.equal(await page.getByText('still at work').count(), 0);
  });

  it('says that a link was copied only when it was', async () => {
    const page = await openOrder(await shop.pay('order-link', 'c-link'));
    const copy = page.getByRole('button', { name: 'Copy link for the customer' });
    const clipboard = (value: string): Promise<unknown> =>
      page.evaluate(
        `Object.defineProperty(navigator, 'clipboard', { configurable: true, value: ${value} })`,
      );
    await clipboard('{ writeText: async () => {} }');
    await copy.click();
    await status(page, 'Copied: http');
    await clipboard('undefined');
    await copy.click();
    await status(page, 'Copy this link: http');
  });

  it('says that the shop refused an event which it had received before', async () => {
    const id = await shop.pay('order-refusing', 'c-refusing');
    await shop.seen(id, 20, 'succeeded');
    await shop.allDelivered();
    const page = await openOrder(id);
    shopAnswers = 500;
    await page.getByRole('button', { name: 'Resend order.succeeded' }).click();
    await status(page, 'order.succeeded will be delivered again');
    await until(async () => {
      await world.relay.tick();
      const events = await world.ledger.walkEvents(ALL_TIMES, null, 50);
      return events.some(({ last_failure }) => last_failure === 'HTTP 500');
    }, 'the shop has refused').finally(() => (shopAnswers = 200));
    await page.getByRole('link', { name: 'Events' }).click();
    const rows = page.getByRole('row').filter({ hasText: 'order-refusing' });
    const row = rows.filter({ hasText: 'order.succeeded' });
    assert.match(await row.innerText(), /delivered .+, sent again: HTTP 500, 1 try/);
  });

  it('shows what the service has told when it refuses what a person asked for', async () => {
    const id = await shop.pay('order-taken', 'c-taken');
    const page = await openOrder(id);
    shop.statusOf(id, 20);
    await page.getByLabel('Reason to close').fill('sold out');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('alert').filter({ hasText: 'the intent is paid' }).waitFor();
    await page.getByLabel('Reason to close').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.money .outcome').innerText(), 'succeeded');
    assert.equal(await page.getByText('the intent is paid').count(), 1);
  });

  it('leads to no customer whose data was erased', async () => {
    const id = await shop.pay('order-erased', 'c-erased');
    await shop.seen(id, 20, 'succeeded');
    await shop.allDelivered();
    const page = await openOrder(id);
    const customer = page.getByRole('link', { name: 'c-erased' });
    await customer.waitFor();
    await page.getByRole('button', { name: "Erase this customer's data" }).click();
    await status(page, /Erased: 1 purchase, \d events?, 0 pay links\./);
    await page.getByText('for erased, opened').waitFor();
    assert.equal(await page.getByRole('link', { name: 'erased', exact: true }).count(), 0);
  });

  it('closes a purchase for a reason that the person writes', async () => {
    const id = await shop.pay('order-closed', 'c-closed');
    const page = await openOrder(id);
    await page.getByLabel('Reason to close').fill('sold out');
    await page.getByRole('button', { name: 'Close' }).click();
    await status(page, 'Closed at');
    await page.getByRole('listitem').filter({ hasText: 'by Ann, sold out' }).waitFor();
    assert.equal(await page.getByLabel('Reason to close').count(), 0);
    await page.getByText(/, opened [^.]+[^ ], closed /).waitFor();
  });
});
