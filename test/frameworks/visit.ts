/** A customer's visit to a shop: pays, and notes what the page said in its console. */
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { payFixtures, type TestCheckout } from '../../relay/testing/index.js';

export type Visit = {
  /** Null where no server renders the page. */
  ssr: boolean | null;
  pays: boolean;
  heard: boolean;
  /** Errors and warnings of the page's console. */
  console: string[];
  /** All scripts of the page, each compressed by gzip. */
  bytes: number;
};

const TIMEOUT_MS = 30_000;

export async function visit(
  browser: Browser,
  checkout: TestCheckout,
  url: string,
  rendersOnServer: boolean,
): Promise<Visit> {
  const html = rendersOnServer ? await (await fetch(url)).text() : '';
  const found: Visit = {
    ssr: rendersOnServer ? /<pay-checkout[^>]* order-token="eyJ/.test(html) : null,
    pays: false,
    heard: false,
    console: [],
    bytes: 0,
  };
  const page = await browser.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  page.on('pageerror', (error) => found.console.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) found.console.push(message.text());
  });
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script' && response.ok())
      scripts.push(response.body().catch(() => Buffer.alloc(0)));
  });
  try {
    await page.goto(url);
    const { customerPhone, payWith } = payFixtures({ sandbox: checkout.sandbox_url });
    await payWith({ page }, (pay) => pay('sbp'));
    await customerPhone({ page }, (phone) => phone.confirm());
    await page.locator('pay-checkout[phase="succeeded"]').waitFor();
    found.pays = true;
    const order = await page.evaluate(`document.querySelector('pay-checkout').order.request_id`);
    const heard = page.locator('#heard', { hasText: String(order) });
    found.heard = await heard.waitFor({ timeout: 5000 }).then(
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
