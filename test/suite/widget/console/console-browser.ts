/** The console of a world's relay, in a real browser. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { listenOn } from '../../../../relay/node/listener.js';
import { createConsoleOf, KEY, type Console } from '../../relay/console/console-of.js';
import { launchBrowser } from '../../support/browser.js';
import { buildWidget } from '../../support/built-widget.js';
import { MAX_WAIT_MS } from '../../support/wait.js';
import type { World } from '../../support/world.js';

export type ConsoleBrowser = {
  /** The same console, without a browser. */
  readonly relay: Console;
  /** A page at which nobody has signed in. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** A page at which Ann, or whoever has the key, has signed in. */
  signIn(options?: BrowserContextOptions, key?: string): Promise<Page>;
  /** Signs in at a page that is open. */
  signInAt(page: Page, key?: string, title?: string): Promise<void>;
  closePages(): Promise<void>;
  close(): Promise<void>;
};

/** Waits until a page has this title, and all that it loads. */
export const shows = (page: Page, title: string): Promise<void> =>
  page
    .locator('main:not([aria-busy="true"])')
    .getByRole('heading', { level: 1, name: title, exact: true })
    .waitFor();

export async function openConsole(world: World): Promise<ConsoleBrowser> {
  buildWidget();
  const relay = createConsoleOf(world);
  const browser = await launchBrowser();
  const listening = await listenOn(
    (request, { incoming }) => relay.pages(request, incoming.socket),
    {
      port: 0,
    },
  );
  const open: ConsoleBrowser['open'] = async (options) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(MAX_WAIT_MS);
    const page = await context.newPage();
    await page.goto(`http://localhost:${listening.port}/console`);
    return page;
  };
  const closePages = async (): Promise<void> => {
    for (const context of browser.contexts()) await context.close();
  };
  const signInAt: ConsoleBrowser['signInAt'] = async (page, key = KEY, title = 'Today') => {
    await page.getByLabel('Operator key').fill(key);
    await page.keyboard.press('Enter');
    await shows(page, title);
  };
  return {
    relay,
    open,
    signInAt,
    signIn: async (options, key) => {
      const page = await open(options);
      await signInAt(page, key);
      return page;
    },
    closePages,
    close: async () => {
      await browser.close();
      await listening.close();
      await world.relay.close();
    },
  };
}
