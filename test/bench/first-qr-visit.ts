/** Visits a page on a slow phone, and measures when its QR code is on the screen. */
import { fileURLToPath } from 'node:url';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import type { Browser, Page } from 'playwright-core';

/** "Slow 4G" of Chromium's developer tools: bytes per second, and milliseconds. */
const SLOW_4G = { latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const CPU_SLOWDOWN = 4;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 };
const MAX_VISIT_MS = 30_000;

const WATCHER = fileURLToPath(new URL('watch-for-code.js', import.meta.url));

export type Visit = { milliseconds: number; bytes: number };

/**
 * @param isReadable whether the page can show its code here
 * @throws Error when the code cannot be read on the screen
 */
export async function visit(browser: Browser, url: string, isReadable: boolean): Promise<Visit> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ ...PHONE, permissions });
  const page = await context.newPage();
  page.setDefaultTimeout(MAX_VISIT_MS);
  const session = await context.newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript({ path: WATCHER });
  await page.goto(url, { waitUntil: 'commit' });
  const ink = await page.waitForFunction(() => Reflect.get(globalThis, 'inkAt'));
  const visited = { milliseconds: Number(await ink.jsonValue()), bytes };
  if (isReadable && !(await showsCode(page)))
    throw new Error(`${url} shows no QR code that can be read`);
  await context.close();
  return visited;
}

async function showsCode(page: Page): Promise<boolean> {
  const { data, height, width } = PNG.sync.read(await page.screenshot());
  return jsQR(new Uint8ClampedArray(data), width, height) !== null;
}
