/** Controls WebKitGTK by W3C WebDriver on a virtual display: the commands that the tests need. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../suite/support/free-port.js';
import { sleep } from '../../suite/support/wait.js';
import { findWebKit } from './find.js';

export type Session = {
  /**
   * @param window the handle of a window; by default the current one
   * @throws Error with the driver's message
   */
  call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: object,
    window?: string,
  ): Promise<unknown>;
  close(): Promise<void>;
};

export type WebDriver = { session(): Promise<Session>; close(): void };

/** WebKit runs here without a desktop and without a graphics card. */
const HEADLESS_ENV = {
  DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  NO_AT_BRIDGE: '1',
  GTK_A11Y: 'none',
  GSETTINGS_BACKEND: 'memory',
  WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  WEBKIT_DISABLE_DMABUF_RENDERER: '1',
};
/** Lets a window be as narrow as a phone: the buttons of its toolbar take hardly any room. */
const NARROW_TOOLBAR = `
  button, entry, image {
    -gtk-icon-source: none; border-width: 0; font-size: 1px; margin: 0;
    min-height: 0; min-width: 0; padding: 0;
  }`;
/** Size of the virtual display, in pixels. */
export const SCREEN = { width: 1600, height: 1400 };
const MAX_START_TRIES = 200;

export async function startWebDriver(): Promise<WebDriver> {
  const { browser, driver } = findWebKit();
  const port = await freePort();
  const config = mkdtempSync(join(tmpdir(), 'pay-checkout-webkit-'));
  mkdirSync(join(config, 'gtk-3.0'));
  writeFileSync(join(config, 'gtk-3.0', 'gtk.css'), NARROW_TOOLBAR);
  const screen = `-screen 0 ${SCREEN.width}x${SCREEN.height}x24`;
  const args = ['-a', '-s', screen, driver, `--port=${port}`, '--host=127.0.0.1'];
  const child = spawn('xvfb-run', args, {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...HEADLESS_ENV, XDG_CONFIG_HOME: config },
  });
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const json = body
      ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {};
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...json });
    const { value } = (await answer.json()) as { value: unknown };
    if (answer.ok) return value;
    throw new Error(JSON.stringify(value));
  };
  for (let tries = 0; ; tries++) {
    try {
      await ask('GET', '/status');
      break;
    } catch (error) {
      if (tries === MAX_START_TRIES) throw error;
      await sleep(50);
    }
  }
  const session = async (): Promise<Session> => {
    const options = { binary: browser, args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const { sessionId } = (await ask('POST', '/session', { capabilities })) as {
      sessionId: string;
    };
    const path = `/session/${sessionId}`;
    await ask('POST', `${path}/timeouts`, { pageLoad: 20_000, script: 15_000 });
    let last: Promise<unknown> = Promise.resolve();
    return {
      // a session has one current window, so commands run one after the other
      call: (method, rest, body, window) => {
        const result = last
          .catch(() => {})
          .then(async () => {
            if (window !== undefined) await ask('POST', `${path}/window`, { handle: window });
            return ask(method, path + rest, body);
          });
        last = result;
        return result;
      },
      close: async () => {
        await last.catch(() => {});
        await ask('DELETE', path).catch(() => {});
      },
    };
  };
  return {
    session,
    close: () => {
      // the display and the browser belong to the process group of xvfb-run
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      rmSync(config, { recursive: true, force: true });
    },
  };
}
