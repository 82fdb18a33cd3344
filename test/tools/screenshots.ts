/**
 * `npm run screenshots` takes the README's pictures and the contact sheets from the demo;
 * `npm run screenshots -- --console FOLDER [--orders N]` takes those of the operator's console.
 */
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { storeSheet, takeSheet, variants } from '../suite/demo/main/visual.js';
import { choose, inPhase, openShop } from '../suite/support/demo-shop.js';
import { takeConsolePictures } from './console-pictures.js';

const { console: consoleFolder, orders } = parseArgs({
  options: { console: { type: 'string' }, orders: { type: 'string', default: '50000' } },
}).values;
if (consoleFolder !== undefined) {
  await takeConsolePictures(consoleFolder, Number(orders));
  process.exit(0);
}

const folder = fileURLToPath(new URL('../../demo/screenshots/', import.meta.url));
await mkdir(folder, { recursive: true });
const shop = await openShop();

const desktop = { viewport: { width: 1360, height: 900 }, deviceScaleFactor: 2 };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
/** The font of the pictures; the browser's own font is wider and heavier than a customer's. */
const fontSheet = createRequire(import.meta.url).resolve(
  '@fontsource-variable/noto-sans/index.css',
);
const setFont = async (page: Page): Promise<void> => {
  await page.addStyleTag({ url: `/@fs${fontSheet}` });
  const content =
    ":root { --pay-font: 'Noto Sans Variable' } body { font-family: var(--pay-font) }";
  await page.addStyleTag({ content });
  // waits until the phone frame and the fonts are loaded
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.evaluate(() => document.fonts.ready);
};
const save = async (page: Page, name: string): Promise<void> => {
  await setFont(page);
  await page.screenshot({ path: `${folder}${name}.png` });
  await page.context().close();
};

const basket = await shop.open('/', desktop);
await basket.click('[data-sku="huila"]');
await basket.click('[data-sku="cup"]');
await basket.goto(`${shop.demo.url}/checkout.html`);
await choose(basket, 'sbp_qr');
await inPhase(basket, 'awaiting_payment');
await basket.frameLocator('iframe').locator('button.main').first().waitFor();
// the card whole, whatever its height
await basket.setViewportSize({ width: 1360, height: 1200 });
await setFont(basket);
await basket.evaluate(() => scrollTo(0, 0));
await basket.locator('pay-checkout').screenshot({ path: `${folder}card.png` });
await basket.emulateMedia({ colorScheme: 'dark' });
await basket.locator('pay-checkout').screenshot({ path: `${folder}card-dark.png` });
await basket.emulateMedia({ colorScheme: 'light' });
await basket.setViewportSize(desktop.viewport);
await save(basket, 'desktop');

const paying = await shop.open('/donate.html', phone);
await (await inPhase(paying, 'choosing')).evaluate((card) => card.scrollIntoView());
await save(paying, 'phone');

const deposit = await shop.open('/deposit.html', { ...phone, colorScheme: 'dark' });
await (await inPhase(deposit, 'showing_deposit_address')).evaluate((card) => card.scrollIntoView());
await save(deposit, 'phone-dark');

for (const variant of variants) storeSheet(variant, await takeSheet(shop, variant));

await shop.close();
console.log(`screenshots: demo/screenshots/`);
