/** Browser sessions with one interface for the protocols of all three engines. */
import puppeteer, {
  type ElementHandle,
  type Browser as Firefox,
  type BrowserContext as FirefoxContext,
  type Page as FirefoxPage,
} from 'puppeteer-core';
import type { Browser as Chromium, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../../suite/support/browser.js';
import { findFirefox, type EngineName } from './find.js';
import { startWebDriver } from './webdriver.js';

export type Tab = {
  go(url: string): Promise<void>;
  back(): Promise<void>;
  /** @returns the value of an expression in the page */
  evaluate(expression: string): Promise<unknown>;
  /** Clicks, as a person does, on the element that the expression returns. */
  click(expression: string): Promise<void>;
  /** Brings the tab to the front; other tabs are hidden pages. */
  bringToFront(): Promise<void>;
  /** @returns a screenshot of the viewport, as PNG */
  screenshot(): Promise<Uint8Array>;
};

/** A visitor has a fresh browser profile. */
export type Visitor = {
  /** Opens a tab. */
  tab(): Promise<Tab>;
  tabs(): Promise<Tab[]>;
  leave(): Promise<void>;
};

export type Engine = { visitor(): Promise<Visitor>; close(): Promise<void> };

const SIZE = { width: 1280, height: 1100 };

export const engines: Record<EngineName, () => Promise<Engine>> = {
  chromium: async () => {
    const browser: Chromium = await launchBrowser();
    return {
      visitor: async () => {
        const context: BrowserContext = await browser.newContext({ viewport: SIZE });
        return {
          tab: async () => playwrightTab(await context.newPage()),
          tabs: () => Promise.resolve(context.pages().map(playwrightTab)),
          leave: () => context.close(),
        };
      },
      close: () => browser.close(),
    };
  },
  firefox: async () => {
    const browser: Firefox = await puppeteer.launch({
      browser: 'firefox',
      executablePath: findFirefox(),
      defaultViewport: SIZE,
    });
    return {
      visitor: async () => {
        const context: FirefoxContext = await browser.createBrowserContext();
        return {
          tab: async () => puppeteerTab(await context.newPage()),
          tabs: async () => (await context.pages()).map(puppeteerTab),
          leave: () => context.close(),
        };
      },
      close: () => browser.close(),
    };
  },
  webkit: async () => {
    const driver = await startWebDriver();
    return {
      visitor: async () => {
        const session = await driver.session();
        await session.call('POST', '/window/rect', SIZE);
        const handles = async (): Promise<string[]> =>
          (await session.call('GET', '/window/handles')) as string[];
        let first = true;
        const open = async (): Promise<string | undefined> => {
          if (!first)
            return (
              (await session.call('POST', '/window/new', { type: 'window' })) as { handle: string }
            ).handle;
          first = false;
          return (await handles())[0];
        };
        return {
          tab: async () => webdriverTab(session.call, (await open()) ?? ''),
          tabs: async () => (await handles()).map((handle) => webdriverTab(session.call, handle)),
          leave: session.close,
        };
      },
      close: () => Promise.resolve(driver.close()),
    };
  },
};

function playwrightTab(page: Page): Tab {
  return {
    go: async (url) => void (await page.goto(url)),
    back: async () => void (await page.goBack()),
    evaluate: (expression) => page.evaluate(expression),
    click: async (expression) => {
      const element = (await page.evaluateHandle<Element>(expression)).asElement();
      if (!element) throw new Error(`nothing at ${expression}`);
      await element.click();
    },
    bringToFront: () => page.bringToFront(),
    screenshot: () => page.screenshot(),
  };
}

function puppeteerTab(page: FirefoxPage): Tab {
  return {
    go: async (url) => void (await page.goto(url)),
    back: async () => void (await page.goBack()),
    evaluate: (expression) => page.evaluate(expression),
    click: async (expression) => {
      const element = (await page.evaluateHandle(expression)).asElement();
      if (!element) throw new Error(`nothing at ${expression}`);
      await (element as ElementHandle<Element>).click();
    },
    bringToFront: () => page.bringToFront(),
    screenshot: () => page.screenshot(),
  };
}

function webdriverTab(
  call: Awaited<ReturnType<Awaited<ReturnType<typeof startWebDriver>>['session']>>['call'],
  window: string,
): Tab {
  const run = (expression: string): Promise<unknown> =>
    call(
      'POST',
      '/execute/async',
      { script: `Promise.resolve(${expression}).then(arguments[0])`, args: [] },
      window,
    );
  return {
    go: async (url) => void (await call('POST', '/url', { url }, window)),
    back: async () => void (await call('POST', '/back', {}, window)),
    evaluate: run,
    click: async (expression) => {
      const element = await run(expression);
      if (typeof element !== 'object' || element === null)
        throw new Error(`nothing at ${expression}`);
      await call('POST', `/element/${String(Object.values(element)[0])}/click`, {}, window);
    },
    bringToFront: async () => void (await call('POST', '/window', { handle: window })),
    screenshot: async () =>
      Buffer.from((await call('GET', '/screenshot', undefined, window)) as string, 'base64'),
  };
}
