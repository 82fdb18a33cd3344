/** The documentation in a package, opened as a file in Chromium: nothing comes from a network. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { buildPackedAssets, packedPages } from '../../../../demo/docs-site/packed.js';
import { write } from '../../../tools/packages/compile.js';
import { brokenRules } from '../../support/axe.js';
import { launchBrowser } from '../../support/browser.js';
import { pageProblems } from '../../support/page-problems.js';

describe('the documentation in a package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'packed-site-'));
  let browser: Browser;
  before(async () => {
    cpSync(fileURLToPath(new URL('../../../../docs', import.meta.url)), folder, {
      recursive: true,
    });
    for (const [path, text] of packedPages((file) => `https://repository.example/${file}`))
      write(join(folder, path), text);
    await buildPackedAssets(folder);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(path: string): Promise<{ page: Page; asked: string[]; problems: string[] }> {
    const page = await (await browser.newContext({ offline: true })).newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const problems = pageProblems(page);
    await page.goto(pathToFileURL(join(folder, path)).href);
    return { page, asked, problems };
  }

  it('the packed documentation finds and opens a section, from any folder', async () => {
    for (const path of ['index.html', 'guides/first-shop/index.html']) {
      const { asked, page, problems } = await open(path);
      await page.locator('form.search input').fill('rotate secrets');
      await page.locator('.results a', { hasText: 'Rotate secrets' }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/guides/run-the-relay.html#rotate-secrets');
      await page.locator('h2#rotate-secrets').waitFor();
      assert.deepEqual(problems, []);
      for (const url of asked) assert.match(url, /^file:/);
      await page.context().close();
    }
  });

  it('the packed documentation leads from page to page, with buttons that copy', async () => {
    const { page, problems } = await open('index.html');
    await page.locator('.side summary', { hasText: 'Quick start' }).click();
    await page.locator('.side a', { hasText: 'Express' }).click();
    await page.locator('h1', { hasText: 'Quick start: Express' }).waitFor();
    await page.locator('.copy').first().waitFor();
    await page.locator('a[rel="next"]').click();
    await page.locator('h1', { hasText: 'Quick start: Fastify' }).waitFor();
    assert.deepEqual(problems, []);
    // it reads the style sheet in a way that a browser refuses for a file, and says so
    assert.deepEqual(await brokenRules(page), []);
    await page.context().close();
  });
});
