/** Pays in a shop as a customer does, and collects the messages of the page's console. */
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { payFixtures, type TestCheckout } from '../../../relay/testing/index.js';
import { pageProblems } from '../../suite/support/page-problems.js';

export type Visit = {
  /** Whether the server's HTML contains the element; null when no server renders the page. */
  ssr: boolean | null;
  pays: boolean;
  /** Whether the page receives the event of the payment. */
  receivesEvent: boolean;
  /** Errors and warnings of the page's console, and the reason when the visit broke off. */
  console: string[];
  /** The size of all scripts of the page, each compressed with gzip. */
  bytes: number;
};

const TIMEOUT_MS = 30_000;
const EVENT_TIMEOUT_MS = 5000;

export async function visit(
  browser: Browser,
  checkout: TestCheckout,
  { option, rendersOnServer, url }: { url: string; option: string; rendersOnServer: boolean },
): Promise<Visit> {
  const html = rendersOnServer ? await (await fetch(url)).text() : '';
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const found: Visit = {
    ssr: rendersOnServer ? /<pay-checkout[^>]* order-token="eyJ/.test(html) : null,
    pays: false,
    receivesEvent: false,
    console: pageProblems(page),
    bytes: 0,
  };
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script' && response.ok())
      scripts.push(response.body().catch(() => Buffer.alloc(0)));
  });
  try {
    await page.goto(url);
    const { customerPhone, payWith } = payFixtures({ sandbox: checkout.sandbox_url });
    await payWith({ page }, (pay) => pay(option));
    await customerPhone({ page }, (phone) => phone.confirm());
    await page.locator('pay-checkout[phase="succeeded"]').waitFor();
    found.pays = true;
    const requestId = await page.evaluate(
      `document.querySelector('pay-checkout').order.request_id`,
    );
    const shown = page.locator('#paid-order', { hasText: String(requestId) });
    found.receivesEvent = await shown.waitFor({ timeout: EVENT_TIMEOUT_MS }).then(
      () => true,
      () => false,
    );
  } catch (error) {
    found.console.push(String(error).split('\n')[0] ?? '');
  }
  for (const body of await Promise.all(scripts)) found.bytes += gzipSync(body).length;
  await page.close();
  return found;
}
