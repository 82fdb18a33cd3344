/** Starts the demo as `npm start` does, and a Chromium to open it in. */
import assert from 'node:assert/strict';
import jsQR from 'jsqr';
import { PNG } from 'pngjs';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { startDemo, type Demo } from '../../../demo/start.js';
import type { SandboxOrder } from '../../../relay/sandbox/orders.js';
import { launchBrowser } from './browser.js';
import { buildWidget } from './built-widget.js';

export type Shop = {
  demo: Demo;
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /** Closes the pages that a test has opened, with their contexts. */
  closePages(): Promise<void>;
  close(): Promise<void>;
};

export async function openShop(): Promise<Shop> {
  buildWidget();
  const [demo, browser]: [Demo, Browser] = await Promise.all([startDemo(0), launchBrowser()]);
  return {
    demo,
    open: async (path, options) => {
      const page = await (
        await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], ...options })
      ).newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(demo.url + path);
      return page;
    },
    closePages: async () => {
      for (const context of browser.contexts()) await context.close();
    },
    close: async () => {
      await browser.close();
      await demo.close();
    },
  };
}

/** The order that the sandbox got last. */
export function lastOrderOf({ sandbox }: Demo): SandboxOrder {
  const order = sandbox.orders.all().at(-1);
  assert.ok(order);
  return order;
}

/** Asks the demo's relay as the shop's backend does. */
export async function askRelay({ demo }: Shop, path: string, body: object): Promise<Response> {
  const response = await fetch(`${demo.url}/pay${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${demo.secretKey}` },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200);
  return response;
}

/**
 * Waits for a phase.
 * @returns the element
 */
export async function inPhase(page: Page, phase: string): Promise<Locator> {
  const element = page.locator('pay-checkout').first();
  await page.locator(`pay-checkout[phase="${phase}"]`).first().waitFor();
  return element;
}

/** Pays with an option. */
export async function choose(page: Page, option: string): Promise<void> {
  const element = await inPhase(page, 'choosing');
  await element.locator(`[data-option="${option}"]`).click();
  await element.locator('[data-action="pay"]').click();
}

/** How long the element ignores taps after one screen has replaced another. */
const IMPATIENCE_MS = 600;

/**
 * Waits until a tap on the element counts.
 * @returns the element in the phase
 */
export async function whenPatient(page: Page, phase: string): Promise<Locator> {
  const element = await inPhase(page, phase);
  await page.waitForTimeout(IMPATIENCE_MS);
  return element;
}

const MAX_READ_MS = 60_000;

/**
 * Reads the QR code on the screen by an independent decoder. The card may still grow, so a
 * screenshot that shows no code is taken again.
 */
export async function readQr(target: Locator): Promise<string | undefined> {
  const end = Date.now() + MAX_READ_MS;
  let text: string | undefined;
  do text = await readQrOnce(target).catch(() => undefined);
  while (text === undefined && Date.now() < end);
  return text;
}

async function readQrOnce(target: Locator): Promise<string | undefined> {
  const { data, width, height } = PNG.sync.read(
    await target.screenshot({ animations: 'disabled' }),
  );
  return jsQR(new Uint8ClampedArray(data), width, height)?.data;
}
