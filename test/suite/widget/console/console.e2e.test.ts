/** The operator's console in a real browser: from the shop's page to the order's timeline. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe, it } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { FaultName } from '../../../../relay/sandbox/faults.js';
import { brokenRules } from '../../support/axe.js';
import { openShop, type Shop } from '../../support/demo-shop.js';
import { pageProblems } from '../../support/page-problems.js';
import { shows } from './console-browser.js';

let shop: Shop;
let reference: string;
before(async () => {
  shop = await openShop();
  reference = await donate();
});
afterEach(() => shop.closePages());
after(() => shop.close());

/**
 * A customer pays on a page of the shop.
 *
 * @param fault of the service, when the relay asks whether the order is paid
 * @returns the order's reference
 */
async function donate(fault?: FaultName): Promise<string> {
  const page = await shop.open('/donate.html');
  const placed = page.waitForResponse((response) => response.url().endsWith('/v1/pay'));
  await page.locator('pay-checkout [data-action="pay"]').click();
  const { order } = (await (await placed).json()) as { order: { request_id: string } };
  const last = shop.demo.sandbox.orders.all().at(-1);
  assert.ok(last);
  if (fault) shop.demo.sandbox.faults.add({ operation: 'query', fault, times: 0 });
  shop.demo.sandbox.orders.act(last, 'confirm');
  const phase = fault ? 'review' : 'succeeded';
  await page.locator(`pay-checkout[phase="${phase}"]`).waitFor();
  shop.demo.sandbox.faults.clear();
  await page.context().close();
  return order.request_id;
}

async function signIn(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await shop.open('/', options);
  await page.goto(shop.demo.console.url);
  await page.getByLabel('Operator key').fill(shop.demo.console.key);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').waitFor();
  return page;
}

const PAGES = [
  ...['Today', 'To do', 'Orders', 'Options', 'Links', 'Events', 'Configuration'],
  'Access',
];

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).click();
  await shows(page, name);
}

describe('the console', () => {
  it('shows what a customer paid, from the reference to the delivery of the event', async () => {
    const page = await signIn();
    await open(page, 'Orders');
    await page.getByLabel('What the customer sent you').fill(reference.slice(0, 8));
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: reference }).click();
    await page.getByRole('heading', { level: 1, name: 'Order' }).waitFor();
    const facts = page.getByRole('listitem');
    for (const fact of ['Claimed', 'The service answered', 'succeeded', 'order.succeeded'])
      await facts.filter({ hasText: fact }).first().waitFor();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('status').filter({ hasText: 'The service says status 20' }).waitFor();
    await page.getByRole('link', { name: 'show the event' }).last().click();
    assert.match(await page.locator('pre').innerText(), /"type": "order\.succeeded"/);
  });

  it('reports no problem but the question whether somebody is signed in', async () => {
    const shopPage = await shop.open('/');
    // a page of its own, because a page of the shop may still report something
    const page = await shopPage.context().newPage();
    const problems = pageProblems(page);
    await page.goto(shop.demo.console.url);
    await page.getByLabel('Operator key').fill(shop.demo.console.key);
    await page.keyboard.press('Enter');
    for (const name of PAGES) await open(page, name);
    assert.deepEqual(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /401/);
  });

  it('breaks no rule of axe, on a phone and on a desk, in the light and in the dark', async () => {
    for (const width of [390, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        const viewport = { width, height: 844 };
        const page = await signIn({ bypassCSP: true, colorScheme, viewport });
        for (const name of PAGES) {
          await open(page, name);
          assert.deepEqual(await brokenRules(page), [], `${name}, ${width} px, ${colorScheme}`);
          const wider = await page.evaluate(
            () => document.documentElement.scrollWidth - innerWidth,
          );
          assert.equal(wider, 0, `${name} is wider than a window of ${width} px`);
          for (const button of await page.locator('td button').all()) {
            const box = await button.boundingBox();
            const end = box ? box.x + box.width : Infinity;
            assert.ok(end <= width, `${name}: a button ends at ${end} of ${width} px`);
          }
        }
        await page.context().close();
      }
  });

  it('moves no name of the navigation when another page is opened', async () => {
    const page = await signIn();
    const places = (): Promise<(number | undefined)[]> =>
      page.locator('nav a').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
    const before = await places();
    await open(page, 'Configuration');
    assert.deepEqual(await places(), before);
  });

  it('ends a review by a decision, with the evidence beside it', async () => {
    const id = await donate('wrong_amount');
    const page = await signIn();
    await open(page, 'To do');
    await page.getByRole('link', { name: `Decide: ${id}` }).click();
    await page.getByText('Waits for your decision: amount mismatch').waitFor();
    const texts = await page.locator('main button').allInnerTexts();
    assert.deepEqual([texts[0], texts.at(-1)], ['Decide', "Erase this customer's data"]);
    assert.deepEqual(await page.locator('.primary').allInnerTexts(), ['Decide']);
    for (const fact of ['We asked for', 'The service named', 'Difference'])
      await page.getByText(fact, { exact: true }).waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByLabel('Decision').selectOption('failed');
    await page.getByLabel('Why').fill('given back');
    await page.getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('status').filter({ hasText: 'The order failed.' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'by operator, given back' }).waitFor();
  });

  it('saves the orders that it lists as a file', async () => {
    const page = await signIn();
    await open(page, 'Orders');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    const [head = '', ...rows] = text.split('\r\n');
    assert.match(head, /^request_id,intent_id,order_no,option,amount,/);
    assert.ok(rows.some((row) => row.startsWith(reference)));
  });

  it('switches an option off after a question, and on again', async () => {
    const page = await signIn();
    await open(page, 'Options');
    page.on('dialog', (dialog) => void dialog.accept());
    const row = page.getByRole('row').filter({ hasText: 'khqr' });
    await row.getByRole('textbox').fill('Back at six');
    await row.getByRole('button', { name: 'Switch off' }).click();
    await row.filter({ hasText: 'do not see it: switched off' }).waitFor();
    await row.filter({ hasText: 'Back at six' }).waitFor();
    await row.getByRole('button', { name: 'Switch on' }).click();
    await row.filter({ hasText: 'may choose it' }).waitFor();
  });

  it('says that the session has ended, and goes on after a new sign-in', async () => {
    const page = await signIn();
    await open(page, 'Events');
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Links' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await page.getByLabel('Operator key').fill('no such key');
    await page.keyboard.press('Enter');
    await page.getByText('this is no operator key').waitFor();
    await page.getByLabel('Operator key').fill(shop.demo.console.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
  });
});
