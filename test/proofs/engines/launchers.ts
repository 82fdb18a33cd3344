/** Starts an engine for the test runner of the browser tests. */
import { chromeLauncher } from '@web/test-runner-chrome';
import type { BrowserLauncher } from '@web/test-runner';
import { findChromium } from '../../suite/support/browser.js';
import { findFirefox, type EngineName } from './find.js';
import { startWebDriver, type Session, type WebDriver } from './webdriver.js';

export const launchers: Record<EngineName, () => Promise<BrowserLauncher>> = {
  chromium: async () => chromeLauncher({ launchOptions: await findChromium() }),
  firefox: () =>
    Promise.resolve(
      chromeLauncher({
        launchOptions: { browser: 'firefox', executablePath: findFirefox(), defaultViewport: null },
        createPage: async ({ context }) => {
          const page = await context.newPage();
          // setting a viewport sets the screen orientation too, which fails before Firefox 144
          page.setViewport = () => Promise.resolve();
          return page;
        },
      }),
    ),
  webkit: () => Promise.resolve(webkit()),
};

/** WebDriver's codes of the keys that tests press. */
const KEYS: Record<string, string> = { Tab: '\uE004', Escape: '\uE00C' };

/** The runner's commands only need a page with the keyboard of puppeteer. */
type Driven = BrowserLauncher & {
  type: 'puppeteer';
  getPage(id: string): { keyboard: { press(key: string): Promise<unknown> } };
};

function webkit(): Driven {
  let driver: WebDriver | undefined;
  let session: Session | undefined;
  const urls = new Map<string, string>();
  const call: Session['call'] = (...args) =>
    session?.call(...args) ?? Promise.reject(new Error('WebKit has not started'));
  const press = (key: string): Promise<unknown> => {
    const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: KEYS[key] }));
    return call('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  };
  return {
    name: 'WebKit',
    type: 'puppeteer',
    getPage: () => ({ keyboard: { press } }),
    concurrency: 1,
    initialize: async () => {
      driver = await startWebDriver();
      session = await driver.session();
    },
    startSession: async (id, url) => {
      urls.set(id, url);
      await call('POST', '/url', { url });
    },
    startDebugSession: () =>
      Promise.reject(new Error('debugging needs a window, but the display is virtual')),
    isActive: (id) => urls.has(id),
    getBrowserUrl: (id) => urls.get(id) ?? '',
    stopSession: async (id) => {
      urls.delete(id);
      await call('POST', '/url', { url: 'about:blank' });
      return {};
    },
    stop: async () => {
      await session?.close();
      driver?.close();
    },
  };
}
