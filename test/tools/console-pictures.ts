/**
 * `npm run screenshots -- --console FOLDER [--orders N]` sells for eight days in a simulated shop,
 * and takes a picture of each page of the operator's console, wide and narrow, light and dark. It
 * fails when a page breaks a rule of axe.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openLedger } from '../../relay/node/open-ledger.js';
import { systemClock, type Clock } from '../../relay/runtime.js';
import type { FaultName } from '../../relay/sandbox/faults.js';
import type { SandboxOrder } from '../../relay/sandbox/orders.js';
import { createRandom } from '../proofs/proof.js';
import { brokenRules } from '../suite/support/axe.js';
import { createWorld, openIntent, testConfig, type World } from '../suite/support/world.js';
import { openConsole } from '../suite/widget/console/console-browser.js';

const DAYS = 8;
const DAY_MS = 86_400_000;
const ORDERS_PER_TICK = 20;
/** Customers who have not paid yet; the others have left. */
const MOST_UNDECIDED = 30;
/** The shop's backend does not answer at the end. */
const SHOP_AWAY_MS = 600_000;
const OPTIONS = ['qr', 'card', 'wallet', 'account', 'chain'];
const PRODUCTS = ['A tree', 'Two bags of coffee', 'A cup', 'Coffee for the office, four weeks'];
/** What a person must decide, made by the last orders. */
const LAST_FAULTS: readonly FaultName[] = ['wrong_amount', 'unknown_status', 'wrong_currency'];

const PAGES = ['Today', 'To do', 'Orders', 'Options', 'Links', 'Events', 'Configuration', 'Access'];

/** A clock that stands still between two orders. */
function shopClock(): { clock: Clock; pass(ms: number): void } {
  let passedMs = 0;
  const startedAt = Date.now() - DAYS * DAY_MS;
  return {
    clock: { ...systemClock, now: () => startedAt + passedMs, elapsed: () => passedMs },
    pass: (ms) => void (passedMs += ms),
  };
}

/** Sells to customers of whom most pay, some decline and some forget. */
async function sell(world: World, count: number, pass: (ms: number) => void): Promise<void> {
  const random = createRandom(1);
  const { orders, faults } = world.sandbox;
  const undecided: SandboxOrder[] = [];
  for (let number = 1; number <= count; number++) {
    // few buy at night
    pass(((DAYS * DAY_MS) / count) * (1 + 0.8 * Math.sin((2 * Math.PI * DAYS * number) / count)));
    const fault = LAST_FAULTS[count - number];
    if (fault) faults.add({ operation: 'query', fault, times: 2 });
    const { status, body } = await world.ask('/v1/pay', {
      ...openIntent,
      amount: `${3 + random.integer(90)}.${random.integer(10)}0`,
      product_name: random.pick(PRODUCTS),
      attempt: crypto.randomUUID(),
      option: random.pick(OPTIONS),
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    undecided.push(...orders.all().slice(-1));
    const [order] = undecided.splice(random.integer(undecided.length), 1);
    if (undecided.length > MOST_UNDECIDED) undecided.shift();
    if (order && (fault || random.chance(0.8))) orders.act(order, 'confirm');
    else if (order && random.chance(0.5)) orders.act(order, 'decline');
    else if (order) undecided.push(order);
    if (number % ORDERS_PER_TICK === 0 || fault) await world.relay.tick();
    faults.clear();
    if (number % 5000 === 0) console.log(`${number} orders`);
  }
}

async function open(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
}

/** Opens the first order or event that a page lists. */
async function openFirst(page: Page, list: string, kind: 'Order' | 'Event'): Promise<void> {
  await open(page, list);
  await page.locator(`main a[href^="#/${kind.toLowerCase()}"]`).first().click();
  await page.getByRole('heading', { level: 1, name: kind, exact: true }).waitFor();
}

/** @param orders that are sold; @param folder is written */
export async function takeConsolePictures(folder: string, orders: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const files = mkdtempSync(join(tmpdir(), 'console-pictures-'));
  const { clock, pass } = shopClock();
  const shopLeaves = clock.now() + DAYS * DAY_MS - SHOP_AWAY_MS;
  const world = createWorld({
    ledger: await openLedger(`sqlite:${join(files, 'shop.db')}`),
    clock,
    config: {
      open_amount: { USD: { min: '1', max: '500' } },
      service: { ...testConfig.service, queries_per_second: 1_000_000 },
      shop_events: { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } },
    },
    shopFetch: async () => new Response(null, { status: clock.now() < shopLeaves ? 204 : 503 }),
  });
  await sell(world, orders, pass);
  const browser = await openConsole(world);
  const broken: string[] = [];
  for (const [width, height] of [
    [1280, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.signIn({
        viewport: { width, height },
        colorScheme,
        bypassCSP: true,
      });
      const save = async (name: string): Promise<void> => {
        const path = join(
          folder,
          `${name.replace(' ', '-').toLowerCase()}-${width}-${colorScheme}`,
        );
        await page.screenshot({ path: `${path}.png`, fullPage: true });
        broken.push(...(await brokenRules(page)).map((rule) => `${path}: ${rule}`));
      };
      for (const name of PAGES) {
        await open(page, name);
        await save(name);
      }
      await openFirst(page, 'To do', 'Order');
      await save('Review');
      await openFirst(page, 'Orders', 'Order');
      await save('Order');
      await openFirst(page, 'Events', 'Event');
      await save('Event');
      await page.context().close();
    }
  await browser.close();
  await world.ledger.close();
  rmSync(files, { recursive: true });
  if (broken.length > 0) throw new Error(broken.join('\n'));
  console.log(`screenshots: ${orders} orders, axe finds nothing, ${folder}`);
}
