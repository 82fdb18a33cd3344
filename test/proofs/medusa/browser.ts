/** Customers with a browser: one closes the tab right after paying, one stays. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { payFixtures } from '../../../relay/testing/index.js';
import { launchBrowser } from '../../suite/support/browser.js';
import { pageProblems } from '../../suite/support/page-problems.js';
import { emailOf, settle, problemUnlessOneOrder, type Check } from './checks.js';
import type { Sale } from './closed-tab.js';
import { project } from './medusa-server.js';
import type { Cart } from './storefront.js';
import type { World } from './world.js';

const TIMEOUT_MS = 60_000;
const SHOWN_AMOUNT = `document.querySelector('pay-checkout').order.amount`;

/** Serves the storefront's page, with the addresses filled in. */
async function serveStorefront({ catalogue, checkout, medusa, page }: World): Promise<Server> {
  const html = readFileSync(join(project, 'storefront/index.html'), 'utf8')
    .replaceAll('%RELAY%', checkout.relay)
    .replaceAll('%MEDUSA%', medusa.url)
    .replaceAll('%PUBLISHABLE_KEY%', catalogue.publishableKey);
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  );
  await new Promise<void>((resolve) => server.listen(page.port, '127.0.0.1', resolve));
  return server;
}

type Visit = { cart: Cart; amount: string; page: Page; problems: string[]; leave(): Promise<void> };

/** Pays for a lamp in the storefront; resolves when the customer has confirmed on the phone. */
async function payInBrowser(world: World, email: string): Promise<Visit> {
  const { catalogue, checkout, storefront } = world;
  const cart = await storefront.fillCart(email, catalogue.uncountedItem);
  const server = await serveStorefront(world);
  const browser = await launchBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const problems = pageProblems(page);
  await page.goto(`${world.page.origin}/?cart=${cart.id}`);
  const { customerPhone, payWith } = payFixtures({ sandbox: checkout.sandbox_url });
  await payWith({ page }, (pay) => pay('sbp'));
  // a reload finds the payment session of before, and so the same code
  await page.reload();
  await page.locator('pay-checkout[phase="awaiting_payment"]').waitFor();
  const amount = z.string().parse(await page.evaluate(SHOWN_AMOUNT));
  await customerPhone({ page }, (phone) => phone.confirm());
  const leave = async (): Promise<void> => {
    await browser.close();
    server.close();
  };
  return { cart, amount, page, problems, leave };
}

/** A customer closes the tab right after paying. */
export async function leaveTheBrowser(
  world: World,
): Promise<{ sale: Sale; problems: readonly string[] }> {
  const { amount, cart, leave, problems } = await payInBrowser(world, emailOf('leaves'));
  await leave();
  return { sale: { cart, amount, paid: true }, problems };
}

export const stayInTheBrowser: Check = {
  name: 'a customer who stays sees the order, which the page and the event complete',
  run: async (world) => {
    const { cart, leave, page, problems } = await payInBrowser(world, emailOf('stays'));
    await page.locator('#order', { hasText: 'order_' }).waitFor();
    await leave();
    await settle();
    return problems[0] ?? problemUnlessOneOrder(world, cart);
  },
};
