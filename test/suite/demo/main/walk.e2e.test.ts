/** Each journey with the keyboard alone, and what a screen reader reads out. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { inPhase, lastOrderOf, openShop, type Shop } from '../../support/demo-shop.js';

let shop: Shop;
before(async () => (shop = await openShop()));
afterEach(() => shop.closePages());
after(() => shop.close());

/** What a screen reader says of the focused element: its name, or its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    const words =
      element?.getAttribute('aria-label') ??
      (element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null) ??
      element?.textContent ??
      '';
    return words.replace(/\s+/g, ' ').trim();
  });

async function pressUntil(page: Page, key: string, words: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (words.test(await focused(page))) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not lead to ${words}, but to ${await focused(page)}`);
}

/** The lines of the tree that a customer acts on or is told, without the header. */
async function spokenLines(page: Page): Promise<string[]> {
  const tree = await page.locator('pay-checkout').ariaSnapshot();
  return (
    tree
      .split('\n')
      .map((line) => line.trim().replaceAll("'", ''))
      .filter((line) =>
        /^- (heading|button|link|radio|group|status|checkbox|textbox|searchbox|timer)/.test(line),
      )
      .map((line) => line.slice(2).replace(/ \[level=2\]|:$/g, ''))
      // the time goes on while the page loads
      .map((line) => line.replace(/^timer: 06:\d\d$/, 'timer: minutes and seconds'))
  );
}

describe('with the keyboard alone', () => {
  it('the keyboard alone pays by QR code, after a look at the other ways to pay', async () => {
    const page = await shop.open('/donate.html', { viewport: { width: 1280, height: 900 } });
    await inPhase(page, 'choosing');
    await pressUntil(page, 'Tab', /^SBP by QR code/);
    await page.keyboard.press('ArrowDown');
    assert.match(await focused(page), /^Bank transfer/);
    await page.keyboard.press('ArrowUp');
    await pressUntil(page, 'Tab', /^Pay \$12\.50$/);
    await page.keyboard.press('Enter');
    await inPhase(page, 'awaiting_payment');
    await page.waitForFunction(() => {
      const active = document.querySelector('pay-checkout')?.shadowRoot?.activeElement;
      return active?.matches('h2') && active.textContent.includes('Scan');
    });
    await page.keyboard.press('Tab');
    assert.match(await focused(page), /^QR code for the payment: \$12\.50\. Enlarge$/);
    await page.keyboard.press('Enter');
    const large = page.locator('pay-checkout dialog.large');
    await large.waitFor({ state: 'visible' });
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'hidden' });
    assert.match(await focused(page), /Enlarge$/);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Copy SBP code');
    await page.keyboard.press('Enter');
    await page.locator('pay-checkout [data-state="copied"]').waitFor();
    const code = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(code, lastOrderOf(shop.demo).link.qrcode_string);
    await pressUntil(page, 'Tab', /^Other ways to pay$/);
    await page.keyboard.press('Enter');
    await inPhase(page, 'choosing');
    assert.equal(await focused(page), 'How would you like to pay?');
    await pressUntil(page, 'Tab', /^Back to your payment$/);
    await page.keyboard.press('Enter');
    await inPhase(page, 'awaiting_payment');
    shop.demo.sandbox.orders.act(lastOrderOf(shop.demo), 'confirm');
    await inPhase(page, 'succeeded');
    assert.match(await focused(page), /^Paid \$12\.50$/);
    await pressUntil(page, 'Tab', /^Save receipt$/);
  });

  it('the keyboard alone opens the payment page, and tries again after a failure', async () => {
    const page = await shop.open('/donate.html', { viewport: { width: 1280, height: 900 } });
    await inPhase(page, 'choosing');
    await pressUntil(page, 'Tab', /^SBP by QR code/);
    await pressUntil(page, 'ArrowDown', /^Card/);
    await pressUntil(page, 'Tab', /^Pay \$12\.50$/);
    await page.keyboard.press('Enter');
    await inPhase(page, 'awaiting_payment');
    await pressUntil(page, 'Tab', /^Continue to the payment page$/);
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.keyboard.press('Enter'),
    ]);
    await opened.close();
    await pressUntil(page, 'Tab', /^Other ways to pay$/);
    shop.demo.sandbox.orders.act(lastOrderOf(shop.demo), 'decline');
    await inPhase(page, 'failed');
    assert.equal(await focused(page), 'The payment did not go through');
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Try Card again');
    await page.keyboard.press('Enter');
    await inPhase(page, 'awaiting_payment');
  });

  it('the keyboard alone copies the address of a deposit, then its tag', async () => {
    const page = await shop.open('/deposit.html', { viewport: { width: 1280, height: 900 } });
    await inPhase(page, 'showing_deposit_address');
    await pressUntil(page, 'Tab', /^Copy: Address$/);
    await page.keyboard.press('Enter');
    await page.locator('pay-checkout [data-state="copied"]').waitFor();
    assert.equal(await focused(page), 'Copy: Destination tag');
    await page.keyboard.press('Enter');
    const tag = await page.locator('pay-checkout [part~="tag"]').getAttribute('data-value');
    await page.waitForFunction(
      async (value) => (await navigator.clipboard.readText()) === value,
      tag,
    );
  });

  it('the keyboard alone fills the contact form, and gets a new code', async () => {
    const query = 'state=choosing%2C+contact+data+asked&still&bare';
    const form = await shop.open(`/playground.html?${query}`);
    await form.locator('body[data-settled]').waitFor();
    await pressUntil(form, 'Tab', /^Card/);
    for (const field of [/^E-mail/, /^Phone/, /^Full name/]) await pressUntil(form, 'Tab', field);
    await pressUntil(form, 'Tab', /^Pay/);
    await form.keyboard.press('Enter');
    assert.match(await focused(form), /^E-mail/, 'the first field that lacks a value');
    await form.context().close();

    const page = await shop.open('/donate.html', { viewport: { width: 1280, height: 900 } });
    await inPhase(page, 'choosing');
    await pressUntil(page, 'Tab', /^SBP by QR code/);
    await pressUntil(page, 'Tab', /^Pay \$12\.50$/);
    await page.keyboard.press('Enter');
    await inPhase(page, 'awaiting_payment');
    const { request_id } = lastOrderOf(shop.demo);
    await pressUntil(page, 'Tab', /^Other ways to pay$/);
    shop.demo.sandbox.orders.act(lastOrderOf(shop.demo), 'expire');
    await inPhase(page, 'expired');
    assert.equal(await focused(page), 'This code has expired');
    await pressUntil(page, 'Tab', /^Get a new code$/);
    await page.keyboard.press('Enter');
    await inPhase(page, 'awaiting_payment');
    assert.notEqual(lastOrderOf(shop.demo).request_id, request_id);
  });

  it('the keyboard alone stays inside the modal, and closes it', async () => {
    const page = await shop.open('/donate.html', { viewport: { width: 1280, height: 900 } });
    await inPhase(page, 'choosing');
    await page.locator('pay-checkout').evaluate((element) => {
      element.setAttribute('display', 'modal');
    });
    await page.locator('pay-checkout dialog.modal').waitFor({ state: 'attached' });
    await page.evaluate('document.querySelector("pay-checkout").show()');
    assert.equal(await focused(page), 'How would you like to pay?');
    await pressUntil(page, 'Tab', /^Pay \$12\.50$/);
    await pressUntil(page, 'Tab', /^Close$/);
    await page.keyboard.press('Enter');
    await page.locator('pay-checkout dialog.modal').waitFor({ state: 'hidden' });
  });
});

/** Opens one state of the element alone. */
async function openState(state: string, options?: BrowserContextOptions): Promise<Page> {
  const query = new URLSearchParams({ state, still: '', bare: '' });
  const page = await shop.open(`/playground.html?${query}`, options);
  await page.locator('body[data-settled]').waitFor();
  return page;
}

describe('with the keyboard alone, in other states', () => {
  it('the keyboard alone confirms the warning about a tag, then reaches both copies', async () => {
    const page = await openState('a deposit behind its gate');
    await pressUntil(page, 'Tab', /^I understand/);
    await page.keyboard.press('Space');
    await page.locator('pay-checkout [part~="address"]').waitFor();
    await pressUntil(page, 'Tab', /^Copy: Address$/);
    await pressUntil(page, 'Tab', /^Copy: Destination tag$/);
  });

  it('the keyboard alone finds a way to pay among twelve, and reaches Pay', async () => {
    const page = await openState('choosing among many');
    await pressUntil(page, 'Tab', /^Find a way to pay$/);
    await page.keyboard.type('12');
    await pressUntil(page, 'Tab', /^Bank 12/);
    await page.keyboard.press('Space');
    await pressUntil(page, 'Tab', /^Pay €48\.50$/);
  });

  for (const [state, actions] of Object.entries({
    'awaiting open_wallet': [/^QR code/, /^Open the wallet$/, /^Other ways to pay$/, /^More$/],
    'awaiting wait': [/^Other ways to pay$/, /^More$/],
    confirming: [/^More$/],
    review: [/^Copy: Reference$/, /^Contact the shop$/, /^More$/],
    unmapped: [/^Copy: Reference$/, /^Contact the shop$/, /^More$/],
    closed: [/^Contact the shop$/, /^Back to the shop$/],
    'problem internal': [/^Try again$/, /^Contact the shop$/],
    'problem option_unknown': [/^Other ways to pay$/],
  }))
    it(`the keyboard alone reaches each action in order in ${state}`, async () => {
      const page = await openState(state);
      for (const action of actions) {
        await page.keyboard.press('Tab');
        assert.match(await focused(page), action);
      }
    });
});

describe('as a screen reader hears it', () => {
  /** The title, the actions, and the title once more: it is announced when the screen changes. */
  const spoken = (title: string, ...actions: readonly string[]): string[] => [
    `heading "${title}"`,
    ...actions,
    `status: ${title}`,
  ];
  const other = ['button "Other ways to pay"', 'group: More'];
  const askTheShop = ['button "Copy: Reference": Copy', 'link "Contact the shop"', 'group: More'];
  for (const [state, lines] of Object.entries({
    choosing: spoken(
      'How would you like to pay?',
      'group "How would you like to pay?"',
      'radio "SBP" [checked]',
      'radio "Bank transfer"',
      'radio "Wallet"',
      'radio "Card"',
      'radio "Crypto"',
      'button "Pay €48.50"',
    ),
    awaiting_payment: spoken(
      'Scan with your banking app',
      'button "QR code for the payment: €48.50. Enlarge"',
      'button "Copy code"',
      ...other,
    ),
    'awaiting open_page': spoken(
      'Your payment page is ready',
      'link "Continue to the payment page"',
      ...other,
    ),
    'awaiting open_wallet': spoken(
      'Scan this code with your phone to open the same payment there.',
      'button "QR code for the payment. Enlarge"',
      'link "Open the wallet"',
      ...other,
    ),
    'awaiting wait': spoken('Your order is registered', ...other),
    'choosing, contact data asked': spoken(
      'How would you like to pay?',
      'group "How would you like to pay?"',
      'radio "SBP"',
      'radio "Bank transfer"',
      'radio "Wallet"',
      'radio "Card" [checked]',
      'radio "Crypto"',
      'textbox "E-mail"',
      'textbox "Phone"',
      'textbox "Full name"',
      'button "Pay €48.50"',
    ),
    'choosing again among many': spoken(
      'How would you like to pay?',
      'group "How would you like to pay?"',
      'searchbox "Find a way to pay"',
      'status: "Found: 12"',
      'radio "Bank 1" [checked]',
      ...Array.from({ length: 11 }, (_, index) => `radio "Bank ${index + 2}"`),
      'button "Pay €48.50"',
      'button "Back to your payment"',
    ),
    'choosing, nothing fits': spoken(
      'No way to pay is available right now. Please contact the shop.',
      'link "Contact the shop"',
    ),
    confirming: spoken('We are confirming your order', 'group: More'),
    'waiting for more than a minute': spoken(
      'Scan with your banking app',
      'button "QR code for the payment: €48.50. Enlarge"',
      'button "Copy code"',
      'button "Other ways to pay"',
      'button "I’ve paid"',
      'group: More',
    ),
    'time is running out': spoken(
      'Scan with your banking app',
      'button "QR code for the payment: €48.50. Enlarge"',
      'timer: minutes and seconds',
      'button "Copy code"',
      ...other,
    ),
    'the page was opened': spoken(
      'Waiting for your payment',
      'button "I’ve paid"',
      'link "Open the payment page again"',
      ...other,
    ),
    failed: spoken(
      'The payment did not go through',
      'button "Try SBP again"',
      'button "I’ve already paid"',
      ...other,
    ),
    unmapped: spoken('Your payment is not clear yet', ...askTheShop),
    closed: spoken(
      'The shop has closed this order',
      'link "Contact the shop"',
      'link "Back to the shop"',
    ),
    'a deposit behind its gate': [
      'heading "Deposit XRP · XRP Ledger"',
      'checkbox "I understand that a deposit without the Destination tag is lost."',
      'status: Deposit XRP',
    ],
    'a deposit received': spoken('Deposit received', 'group: More'),
    succeeded: spoken('Paid €48.50', 'link "Back to Bean & Leaf"', 'button "Save receipt"'),
    expired: spoken(
      'This code has expired',
      'button "Get a new code"',
      'button "I’ve already paid"',
      ...other,
    ),
    review: spoken('The shop must check your payment', ...askTheShop),
    showing_deposit_address: [
      'heading "Deposit XRP · XRP Ledger"',
      'button "Copy: Address": Copy',
      'button "Copy: Destination tag": Copy',
      'group: Wallet cannot read this?',
      'group: More',
      'status: Deposit XRP',
    ],
    'problem token_expired': spoken('Checkout timed out', 'link "Contact the shop"'),
  }))
    it(`a screen reader hears a title and the actions in order in ${state}`, async () => {
      const page = await openState(state);
      assert.deepEqual(await spokenLines(page), lines);
    });

  const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } };
  for (const [state, action] of [
    ['awaiting_payment', 'button "Copy payment code"'],
    ['on a phone, the code opens the app', 'link "Open in your banking app"'],
    ['on a phone, the code is saved', 'button "Save code"'],
  ] as const)
    it(`a phone’s screen reader hears what to do, then the action, in ${state}`, async () => {
      const page = await openState(state, PHONE);
      const actions = [action, other[0]!, 'group: Scan with another phone', 'group: More'];
      assert.deepEqual(await spokenLines(page), spoken('Pay on this device', ...actions));
    });
});
