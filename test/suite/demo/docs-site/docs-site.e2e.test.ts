/** The built documentation in Chromium, under a strict policy: search, copying, axe, a phone. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildDocs } from '../../../../demo/docs-site/build.js';
import { launchBrowser } from '../../support/browser.js';
import { pageProblems } from '../../support/page-problems.js';
import { brokenRules } from '../../support/axe.js';
import { inPhase, lastOrderOf, openShop } from '../../support/demo-shop.js';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types lit-html";
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};
const PHONE = { viewport: { width: 390, height: 844 } };
const SAMPLES = ['', 'reference.html', 'guides/the-element.html', 'quick-start/vue.html'];

const folder = mkdtempSync(join(tmpdir(), 'docs-site-'));
let browser: Browser;
let server: Server;
let base: string;
before(async () => {
  await buildDocs(folder);
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/docs\//, '').replace(/[?#].*/, '') || 'index.html';
    const type = TYPES[extname(path)];
    if (type === undefined) return void response.writeHead(404).end();
    const headers = { 'content-type': type, 'content-security-policy': POLICY };
    response.writeHead(200, headers).end(readFileSync(join(folder, path)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://localhost:${(server.address() as AddressInfo).port}/docs/`;
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const page = await (await browser.newContext({ permissions, ...options })).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(base + path);
  return page;
}

describe('the built documentation', () => {
  it('the documentation’s search opens a section at its heading, without a violation', async () => {
    const page = await open('');
    const problems = pageProblems(page);
    await page.keyboard.press('/');
    await page.keyboard.type('rotate secrets');
    const result = page.locator('.results a').first();
    assert.match((await result.textContent()) ?? '', /Rotate secrets/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/guides/run-the-relay.html#rotate-secrets');
    await page.locator('h2#rotate-secrets').waitFor();
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  it('the documentation’s search marks words, follows arrow keys, and says “nothing”', async () => {
    const page = await open('');
    const field = page.locator('form.search input');
    await field.fill('rotate secrets');
    await page
      .locator('.results mark', { hasText: /^rotate$/i })
      .first()
      .waitFor();
    await field.press('ArrowDown');
    assert.equal(await page.locator('.results a:focus').count(), 1);
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.locator('form.search input:focus').count(), 1);
    await field.fill('xyzzy');
    await page.locator('.results', { hasText: 'Nothing found for “xyzzy”' }).waitFor();
    await page.context().close();
  });

  it('the documentation shows the element on the page of a stack, without a relay', async () => {
    const page = await open('quick-start/html.html');
    const problems = pageProblems(page);
    await inPhase(page, 'awaiting_payment');
    assert.equal(await page.locator('.sample img').count(), 0);
    assert.deepEqual(problems, []);
    await page.context().close();
  });

  it('the documentation copies a block of code', async () => {
    const page = await open('guides/run-the-relay.html');
    const block = page.locator('.code').first();
    await block.locator('button').click();
    await block.locator('button', { hasText: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await block.locator('code').textContent());
    await page.context().close();
  });

  for (const [where, options] of Object.entries({
    'on a desk': { viewport: { width: 1280, height: 900 } },
    'on a phone in the dark': { ...PHONE, colorScheme: 'dark' as const },
  }))
    it(`the documentation is accessible ${where}, and fits its width`, async () => {
      for (const path of SAMPLES) {
        // axe's own script is no part of the page
        const page = await open(path, { ...options, bypassCSP: true });
        assert.deepEqual(await brokenRules(page), [], path);
        const [content, window] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          innerWidth,
        ]);
        assert.ok((content ?? 0) <= (window ?? 0), `${path}: ${content} of ${window} px`);
        await page.context().close();
      }
    });

  it('the documentation can be read and navigated without scripts', async () => {
    const page = await open('', { ...PHONE, javaScriptEnabled: false });
    await page.locator('.side summary', { hasText: 'Reference' }).click();
    await page.locator('.side a', { hasText: 'Endpoints' }).click();
    await page.locator('h1', { hasText: 'Endpoints' }).waitFor();
    assert.equal(await page.locator('.copy').count(), 0);
    await page.context().close();
  });
});

describe('the demo', () => {
  it('the demo serves the documentation beside the shop', async () => {
    const shop = await openShop();
    const page = await shop.open('/docs');
    const problems = pageProblems(page);
    assert.equal(await page.locator('.side .shop a[href="/playground.html"]').count(), 1);
    await page.locator('.side summary', { hasText: 'Quick start' }).click();
    await page.locator('.side a', { hasText: 'Vue' }).first().click();
    await page.locator('h1', { hasText: 'Quick start: Vue' }).waitFor();
    await page.locator('.copy').first().waitFor();
    await page.locator('pay-checkout [data-action="pay"]').click();
    await inPhase(page, 'awaiting_payment');
    const phone = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'the customer’s phone' }).click();
    await (await phone).getByText(lastOrderOf(shop.demo).order_no).waitFor();
    assert.deepEqual(problems, []);
    await shop.close();
  });
});
