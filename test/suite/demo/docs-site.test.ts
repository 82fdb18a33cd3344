/** The documentation's site shows every document, and every link in it leads somewhere. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { before, describe, it } from 'node:test';
import { addressOf, BASE, readText } from '../../../demo/docs-site/files.js';
import { answer, createSite, plainAddresses, type Site } from '../../../demo/docs-site/site.js';

const ASSETS = { script: `${BASE}docs.js`, style: `${BASE}docs.css` };
const docs = new URL('../../../docs/', import.meta.url);

describe('the documentation’s site', () => {
  let site: Site;
  /** The HTML of every page, by its address. */
  let pages: Map<string, string>;
  before(() => {
    site = createSite();
    pages = new Map([...site.pages].map(([address, file]) => [address, site.html(file, ASSETS)]));
  });
  const linksOf = (html: string): string[] =>
    [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);

  it('links to every Markdown file of docs/ from its first page', () => {
    const home = linksOf(pages.get(BASE) ?? '');
    const files = readdirSync(docs, { recursive: true, encoding: 'utf8' });
    const documents = files.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
    assert.ok(documents.length > 30);
    for (const file of [...documents, 'CHANGELOG.md'])
      assert.ok(home.includes(addressOf(file)), file);
  });

  it('contains no link to a page or a heading that does not exist', () => {
    const dead: string[] = [];
    const plain = new Set(plainAddresses());
    for (const [address, html] of pages)
      for (const link of linksOf(html)) {
        if (/^https?:/.test(link) || link === ASSETS.script || link === ASSETS.style) continue;
        const [path, hash] = link.split('#');
        const target = path === '' ? address : (path ?? '');
        const page = pages.get(target);
        const exists = page !== undefined || site.files.has(target) || plain.has(target);
        const hasHeading = hash === undefined || page?.includes(` id="${hash}"`);
        if (!exists || !hasHeading) dead.push(`${address}: ${link}`);
      }
    assert.deepEqual(dead, []);
  });

  it('shows the picture of the first page in the theme of the reader', () => {
    const shown = [...(pages.get(BASE) ?? '').matchAll(/<img class="(\w+)" src="([^"]*)"/g)];
    assert.deepEqual(
      shown.map(([, theme, address = '']) => [theme, site.files.get(address)]),
      [
        ['light', 'demo/screenshots/card.png'],
        ['dark', 'demo/screenshots/card-dark.png'],
      ],
    );
  });

  it('serves every document as Markdown too, whose links lead somewhere', () => {
    const plain = new Set(plainAddresses());
    const known = (address: string): boolean =>
      plain.has(address) || pages.has(address) || site.files.has(address);
    assert.ok(plain.size > 50);
    for (const address of plain) {
      const { body = '', type } = answer(site, address, ASSETS) ?? {};
      assert.equal(type, 'text/plain; charset=utf-8', address);
      for (const [, link = ''] of String(body).matchAll(/\]\((\/[^)#]*)[^)]*\)/g))
        assert.ok(known(link), `${address}: ${link}`);
      assert.doesNotMatch(String(body), /\]\(\.\.?\//, address);
    }
  });

  it('lists every document for agents, and has all of them in one text', () => {
    const textAt = (name: string): string => String(answer(site, BASE + name, ASSETS)?.body);
    const [list, whole] = [textAt('llms.txt'), textAt('llms-full.txt')];
    assert.match(list, /^# pay-checkout\n\n> One script tag/);
    for (const address of plainAddresses().filter((each) => each.endsWith('.md')))
      assert.ok(address === `${BASE}index.md` || list.includes(`](${address})`), address);
    const lines = list.split('\n').filter((line) => line.startsWith('- '));
    const summaries = lines.map((line) => line.replace(/^- \[[^\]]*\]\([^)]*\): /, ''));
    for (const summary of summaries) assert.match(summary, /^\S.*[.?!]$/);
    assert.equal(new Set(summaries).size, summaries.length);
    for (const title of ['Security', 'Skill for coding agents', 'For coding agents'])
      assert.ok(list.includes(`- [${title}](`), title);
    for (const [, file] of site.pages)
      if (file.startsWith('docs/') && file.endsWith('.md'))
        assert.ok(whole.includes(`<!-- ${file} -->`), file);
  });

  it('leads from each document to the one before and after it, and to its source', () => {
    const page = pages.get(addressOf('docs/guides/the-element.md')) ?? '';
    assert.match(page, /rel="prev" href="\/docs\/guides\/first-shop\/index.html"/);
    assert.match(page, /rel="next" href="\/docs\/guides\/style-the-element.html"/);
    assert.match(page, /\/edit\/main\/docs\/guides\/the-element\.md"/);
    assert.match(page, /href="\/docs\/guides\/the-element\.md"/);
  });

  it('writes no inline script, no inline style and no handler', () => {
    for (const [address, html] of pages) {
      assert.equal(html.match(/<script/g)?.length, 1, address);
      assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|<[a-z][^>]* (?:style|on[a-z]+)=/);
    }
  });

  it('shows every code block of a document, each as its text', () => {
    for (const [address, file] of site.pages) {
      if (!file.endsWith('.md')) continue;
      const fences = readText(file).match(/^ *```(?!mermaid).+$/gm)?.length ?? 0;
      const shown = pages.get(address)?.match(/<div class="code">/g)?.length ?? 0;
      assert.ok(shown >= fences, `${file}: ${shown} of ${fences}`);
    }
  });

  it('says in words what each diagram shows', () => {
    const page = pages.get(addressOf('docs/architecture.md')) ?? '';
    assert.equal(page.match(/<figure class="diagram">/g)?.length, 3);
    for (const arrow of [
      'page → relay: POST /v1/checkout',
      'start → claimed',
      'pending → unmapped: a status that nobody mapped',
      'background.ts, gauges.ts → configured.ts',
    ])
      assert.ok(page.includes(arrow), arrow);
    assert.doesNotMatch(page, /--&gt;|-&gt;&gt;|participant/);
  });

  it('leads from a page that a command writes to what writes it, and not to an edit', () => {
    const page = pages.get(addressOf('docs/reference/element.md')) ?? '';
    assert.match(page, /href="[^"]*\/tree\/main\/test\/tools\/contract"/);
    assert.doesNotMatch(page, /\/edit\/main\//);
  });

  it('has a place for the element on each page of a stack', () => {
    for (const file of ['docs/quick-start/html.md', 'docs/guides/medusa.md'])
      assert.match(pages.get(addressOf(file)) ?? '', /<div class="sample">/);
    assert.doesNotMatch(pages.get(BASE) ?? '', /class="sample"/);
  });

  it('finds every heading of every document by the search', () => {
    const addresses = new Set(site.searchIndex().map(({ address }) => address));
    for (const [address, html] of pages)
      for (const [, id] of html.matchAll(/<h2 id="([^"]+)"/g))
        assert.ok(addresses.has(`${address}#${id}`), `${address}#${id}`);
  });
});
