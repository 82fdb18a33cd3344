/** Finds a Chromium: one that is installed, else the one that npm brought. */
import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

const INSTALLED = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'];

/** Not the package's own flags: they switch off web security. */
export const browserArgs = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function browserPath(): Promise<string> {
  for (const path of [process.env.CHROME_PATH, ...INSTALLED]) if (path !== undefined && existsSync(path)) return path;
  chromium.setGraphicsMode = false;
  return chromium.executablePath();
}

export const launchBrowser = async (): Promise<Browser> => playwright.launch({ executablePath: await browserPath(), args: browserArgs });
