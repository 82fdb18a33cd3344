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

export type VisitOptions = {
  /**
   * Whether the visit fails when the code cannot be read on the screen. False for a page whose
   * picture comes from a server that the bench does not reach, and for one that shows an action.
   */
  mustBeReadable?: boolean | undefined;
  /** A page that the customer opens before, and that loads files for this page. */
  previous?: string | undefined;
  hasTouchScreen?: boolean | undefined;
};

/** What happened from the navigation until the code was on the screen. */
export type Visit = { codeShownAfterMs: number; receivedBytes: number };

/** @throws Error when the code must be readable, and cannot be read on the screen */
export async function visit(
  browser: Browser,
  url: string,
  { hasTouchScreen = false, mustBeReadable = true, previous }: VisitOptions,
): Promise<Visit> {
  // a page that uses the clipboard must not wait for an answer to the browser's question
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({
    ...PHONE,
    permissions,
    hasTouch: hasTouchScreen,
    isMobile: hasTouchScreen,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(MAX_VISIT_MS);
  if (previous !== undefined) await page.goto(previous, { waitUntil: 'networkidle' });
  const session = await context.newCDPSession(page);
  let receivedBytes = 0;
  session.on(
    'Network.loadingFinished',
    ({ encodedDataLength }) => (receivedBytes += encodedDataLength),
  );
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript({ path: WATCHER });
  await page.goto(url, { waitUntil: 'commit' });
  // set by watch-for-code.js: `performance.now()` after the frame that shows the code
  const shownAtMs = await page.waitForFunction(() => Reflect.get(globalThis, 'codeShownAtMs'));
  const visited = { codeShownAfterMs: Number(await shownAtMs.jsonValue()), receivedBytes };
  if (mustBeReadable && !(await showsCode(page)))
    throw new Error(`${url} shows no QR code that can be read`);
  await context.close();
  return visited;
}

async function showsCode(page: Page): Promise<boolean> {
  const { data, height, width } = PNG.sync.read(await page.screenshot());
  return jsQR(new Uint8ClampedArray(data), width, height) !== null;
}
