/** Starts an engine for the test runner of the browser tests. */
import { chromeLauncher } from '@web/test-runner-chrome';
import type { BrowserLauncher } from '@web/test-runner';
import { z } from 'zod';
import { findChromium } from '../../suite/support/browser.js';
import { sleep } from '../../suite/support/wait.js';
import { findFirefox, type EngineName } from './find.js';
import { SCREEN, startWebDriver, type Session, type WebDriver } from './webdriver.js';

export const launchers: Record<EngineName, () => Promise<BrowserLauncher>> = {
  chromium: async () => chromeLauncher({ launchOptions: await findChromium() }),
  firefox: () =>
    Promise.resolve(
      chromeLauncher({
        launchOptions: { browser: 'firefox', executablePath: findFirefox(), defaultViewport: null },
      }),
    ),
  webkit: () => Promise.resolve(webkit()),
};

/** WebDriver's codes of the keys that tests press. */
const KEYS: Record<string, string> = { Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004' };

/** The window takes its new size a moment after the answer. */
const MAX_RESIZE_MS = 5_000;

type Size = { width: number; height: number };

/** The runner's commands only need these parts of a page of puppeteer. */
type Driven = BrowserLauncher & {
  type: 'puppeteer';
  getPage(id: string): {
    keyboard: { press(key: string): Promise<unknown> };
    setViewport(size: Size): Promise<unknown>;
  };
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
  // WebKit before the fix of its bug 310086 may evaluate media queries only when a text changes
  const addText = `const text = document.body.appendChild(new Text('.'));
    document.body.offsetHeight;
    text.remove();`;
  const setViewport = async ({ width, height }: Size): Promise<void> => {
    const script = 'return [innerWidth, innerHeight, outerHeight]';
    for (const end = Date.now() + MAX_RESIZE_MS; ; await sleep(20)) {
      const sizes = await call('POST', '/execute/sync', { script, args: [] });
      const [innerWidth, innerHeight, outerHeight] = z
        .tuple([z.number(), z.number(), z.number()])
        .parse(sizes);
      if (innerWidth === width && innerHeight === height) {
        await call('POST', '/execute/sync', { script: addText, args: [] });
        return;
      }
      if (Date.now() > end) throw new Error(`the window stays at ${innerWidth}×${innerHeight}`);
      const outer = { width, height: height + outerHeight - innerHeight };
      // without a window manager, the window under the pointer has the focus: the one in the middle
      const x = (SCREEN.width - outer.width) / 2;
      const y = (SCREEN.height - outer.height) / 2;
      await call('POST', '/window/rect', { x, y, ...outer });
    }
  };
  return {
    name: 'WebKit',
    type: 'puppeteer',
    getPage: () => ({ keyboard: { press }, setViewport }),
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
