/** Every page of the console by keyboard alone, on a desk and on a phone. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { letterShop } from '../../relay/operator/letter-shop.js';
import { bearer, createWorld, openIntent, until } from '../../support/world.js';
import { openConsole, shows, type ConsoleBrowser } from './console-browser.js';

const PAGES = [
  ...['Today', 'To do', 'Orders', 'Options', 'Links', 'Events', 'Configuration'],
  'Access',
];
const VIEWPORTS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
/** More than any page has. */
const MAX_STOPS = 200;
/** Of WCAG 2.2, for what is no text. */
const MIN_CONTRAST = 3;

const world = createWorld({
  config: { shop_events: { url: 'http://127.0.0.1:9/hooks', secret: { env: 'SECRET' } } },
  shopFetch: async () => new Response('', { status: 500 }),
});
let browser: ConsoleBrowser;
let paid: string;
let review: string;
before(async () => {
  const shop = letterShop(world, world.sandbox);
  paid = await shop.pay('order-paid', 'c-paid');
  await shop.seen(paid, 20, 'succeeded');
  world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
  review = await shop.pay('order-review', 'c-review');
  const terms = { ...openIntent, customer_ref_id: 'c-link', expires_in: 3600 };
  const made = await world.ask('/v1/pay-links', terms, bearer);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  await until(async () => {
    await world.relay.tick();
    return (await world.ledger.undelivered()).some(({ tries }) => tries > 0);
  }, 'a failed delivery');
  browser = await openConsole(world);
});
afterEach(() => browser.closePages());
after(() => browser.close());

type Stop = {
  /** The place among all that a person can use, in the order of the page. */
  readonly index: number;
  readonly text: string;
  readonly outlinePx: number;
  readonly contrast: number;
  readonly isSeen: boolean;
};

/** What a person can use. */
const USABLE = 'a[href], button, input, select, summary, [tabindex="0"]';

/** What has the focus; null: nothing of the console. */
async function focused(page: Page): Promise<Stop | null> {
  const found = await page.evaluate((usable) => {
    const root = document.querySelector('pay-console')?.shadowRoot;
    const element = root?.activeElement;
    if (!root || !element) return null;
    const all = [...root.querySelectorAll<HTMLElement>(usable)].filter((each) =>
      each.checkVisibility(),
    );
    const backgrounds: string[] = [];
    for (let from = element.parentElement; from; from = from.parentElement)
      backgrounds.push(getComputedStyle(from).backgroundColor);
    backgrounds.push(getComputedStyle(root.host).backgroundColor);
    const { outlineColor, outlineStyle, outlineWidth } = getComputedStyle(element);
    const { bottom, left, right, top } = element.getBoundingClientRect();
    const text = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
    return {
      index: all.findIndex((each) => each === element),
      text: `${element.localName} ${text.slice(0, 40)}`,
      outlinePx: outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth),
      outlineColor,
      backgrounds,
      isSeen: right > 0 && bottom > 0 && left < innerWidth && top < innerHeight,
    };
  }, USABLE);
  if (!found) return null;
  const { backgrounds, outlineColor, ...stop } = found;
  const behind = backgrounds.find((color) => !color.endsWith(', 0)')) ?? 'rgb(255, 255, 255)';
  return { ...stop, contrast: contrast(outlineColor, behind) };
}

const howMany = (page: Page): Promise<number> =>
  page.evaluate((usable) => {
    const root = document.querySelector('pay-console')?.shadowRoot;
    const all = [...(root?.querySelectorAll<HTMLElement>(usable) ?? [])];
    return all.filter((each) => each.checkVisibility()).length;
  }, USABLE);

/** The relative luminance of a colour such as `rgb(1, 2, 3)`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [...color.matchAll(/[\d.]+/g)].map(([part]) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, text: RegExp): Promise<void> {
  for (let n = 0; n < MAX_STOPS; n++) {
    await page.keyboard.press('Tab');
    if (text.test((await focused(page))?.text ?? '')) return;
  }
  assert.fail(`Tab does not reach ${text}`);
}

const isTitleFocused = (page: Page): Promise<boolean> =>
  page.evaluate(
    () => document.querySelector('pay-console')?.shadowRoot?.activeElement?.localName === 'h1',
  );

async function titled(page: Page, name: string): Promise<void> {
  await shows(page, name);
  await until(() => isTitleFocused(page), `the focus is at the title ${name}`);
}

/** Tab reaches everything once, in the order of the page, and each is seen with its focus. */
async function walk(page: Page, name: string): Promise<void> {
  await page.reload();
  await page.locator('main:not([aria-busy="true"]) h1').waitFor();
  const count = await howMany(page);
  const stops: Stop[] = [];
  for (let n = 0; n < MAX_STOPS; n++) {
    await page.keyboard.press('Tab');
    const stop = await focused(page);
    if (!stop || (stops.length > 1 && stop.index === 0)) break;
    // a field of a date has a stop for each of its parts
    if (stop.index !== stops.at(-1)?.index) stops.push(stop);
  }
  assert.deepEqual(
    stops.map(({ index }) => index),
    Array.from({ length: count }, (_, index) => index),
    `${name}: ${stops.map(({ text }) => text).join(', ')}`,
  );
  for (const { contrast, isSeen, outlinePx, text } of stops) {
    assert.ok(isSeen, `${name}: ${text} has the focus, and nobody sees it`);
    assert.ok(outlinePx >= 2, `${name}: ${text} has no outline`);
    assert.ok(contrast >= MIN_CONTRAST, `${name}: the outline of ${text} has ${contrast}`);
  }
}

describe('the console by keyboard alone', () => {
  for (const viewport of VIEWPORTS)
    for (const colorScheme of ['light', 'dark'] as const)
      it(`reaches and shows everything at ${viewport.width} px, ${colorScheme}`, async () => {
        const page = await browser.open({ colorScheme, viewport });
        await walk(page, 'sign-in');
        const signedIn = await browser.signIn({ colorScheme, viewport });
        for (const name of PAGES) {
          await tabTo(signedIn, new RegExp(`^a ${name}$`));
          await signedIn.keyboard.press('Enter');
          await titled(signedIn, name);
          await walk(signedIn, name);
        }
        const [event] = await world.ledger.undelivered();
        for (const [path, name] of [
          [`events/${event?.event_id}`, 'Event'],
          [`orders/${paid}`, 'Order'],
          [`orders/${review}`, 'Order'],
        ] as const) {
          await signedIn.evaluate((hash) => void (location.hash = hash), `#/${path}`);
          await titled(signedIn, name);
          await walk(signedIn, path);
        }
      });

  it('goes past the navigation by the first stop', async () => {
    const page = await browser.signIn();
    await page.reload();
    await shows(page, 'Today');
    await page.keyboard.press('Tab');
    assert.equal((await focused(page))?.text, 'button Skip to the page');
    await page.keyboard.press('Enter');
    assert.ok(await isTitleFocused(page));
    await page.keyboard.press('Tab');
    assert.match((await focused(page))?.text ?? '', /^a \d+ waits? for a person/);
  });

  it('finds an order, opens it and what is folded, and asks the service', async () => {
    const page = await browser.signIn();
    await tabTo(page, /^input Find/);
    await page.keyboard.type('nobody');
    await page.keyboard.press('Escape');
    await page.keyboard.type('c-paid');
    await page.keyboard.press('Enter');
    await titled(page, 'Orders');
    await tabTo(page, new RegExp(`^a ${paid}`));
    await page.keyboard.press('Enter');
    await titled(page, 'Order');
    await tabTo(page, /^button Check now/);
    await page.keyboard.press('Space');
    await page.getByRole('status').filter({ hasText: 'The service says' }).waitFor();
    assert.match((await focused(page))?.text ?? '', /^button Check now/);
    await tabTo(page, /^summary All fields/);
    await page.keyboard.press('Enter');
    await page.getByText('customer ref id').waitFor();
    await tabTo(page, /^a show the event/);
    await page.keyboard.press('Enter');
    await titled(page, 'Event');
  });

  it('filters by a list and a check box', async () => {
    const page = await browser.signIn();
    await tabTo(page, /^a Orders$/);
    await page.keyboard.press('Enter');
    await titled(page, 'Orders');
    await tabTo(page, /^select/);
    await page.keyboard.type('review');
    await tabTo(page, /^button Filter/);
    await page.keyboard.press('Enter');
    await titled(page, 'Orders');
    assert.match(page.url(), /outcome=review/);
    await tabTo(page, /^a Events$/);
    await page.keyboard.press('Enter');
    await titled(page, 'Events');
    await tabTo(page, /^input/);
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await titled(page, 'Events');
    assert.match(page.url(), /undelivered=yes/);
  });

  it('keeps the focus when what was pressed is gone, and does nothing after Escape', async () => {
    const page = await browser.signIn();
    await tabTo(page, /^a Options$/);
    await page.keyboard.press('Enter');
    await titled(page, 'Options');
    // Escape is the “no” of the browser's own question
    page.once('dialog', (dialog) => void dialog.dismiss());
    await tabTo(page, /^button Switch off/);
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('button', { name: 'Switch on' }).count(), 0);
    assert.match((await focused(page))?.text ?? '', /^button Switch off/);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Switch on' }).waitFor();
    await until(async () => (await focused(page)) !== null, 'something has the focus');
    await tabTo(page, /^button Switch on/);
    await page.keyboard.press('Enter');
    await until(
      async () => (await page.getByRole('button', { name: 'Switch on' }).count()) === 0,
      'on',
    );
    await tabTo(page, /^button Sign out/);
    await page.keyboard.press('Enter');
    await titled(page, 'pay-checkout console');
    await page.keyboard.press('Tab');
    assert.match((await focused(page))?.text ?? '', /^input/);
  });
});
