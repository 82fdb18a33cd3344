/** The documentation in a package is whole, and works without a network. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { codeBlocks } from '../docs/code-blocks.js';
import { writeDocs, writeSite } from './docs.js';
import { repository, root } from './manifests.js';

const packages = mkdtempSync(join(tmpdir(), 'packed-docs-'));
after(() => rmSync(packages, { recursive: true }));
const folder = join(packages, 'relay');
writeDocs(folder, { forOperators: true });
const ofElement = join(packages, 'element');
writeDocs(ofElement, { forOperators: false });

const read = (file: string, own = folder): string => readFileSync(join(own, file), 'utf8');
const documentsOf = (own: string): string[] =>
  readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const documents = documentsOf(folder);

describe('the documentation in a package', () => {
  for (const [name, own] of [
    ['relay', folder],
    ['element', ofElement],
  ] as const)
    it(`links only to what is in the ${name}’s package or in the repository`, () => {
      assert.ok(documentsOf(own).length > 50);
      for (const file of [...documentsOf(own), 'llms.txt'])
        for (const [, link = ''] of read(file, own).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
          const source = new RegExp(`^${repository.homepage}/(?:blob|raw)/v[^/]+/(.+)$`);
          const path = source.exec(link)?.[1];
          if (path !== undefined) assert.ok(existsSync(join(root, path)), `${file}: ${link}`);
          else if (!/^(https?|mailto):/.test(link))
            assert.ok(existsSync(join(own, dirname(file), link)), `${file}: ${link}`);
        }
    });

  it('lists every document in llms.txt', () => {
    for (const file of documents.filter((each) => each.startsWith('docs/')))
      assert.ok(read('llms.txt').includes(`](${file})`), file);
  });

  it('has a skill with the commands of the guide to a first shop, and a check', () => {
    const commandsOf = (page: string): string[] =>
      (codeBlocks('sh').find((block) => block.page === page)?.code ?? '').split('\n');
    const own = commandsOf('SKILL.md');
    assert.deepEqual(own.slice(0, -1), commandsOf('docs/guides/first-shop/README.md'));
    assert.match(own.at(-1) ?? '', /pay-checkout-relay check --config relay\.config\.json$/);
    assert.equal(own.length, 6);
    const [, head = ''] = /^---\n([^]*?)\n---\n/.exec(read('SKILL.md')) ?? [];
    assert.match(head, /^name: pay-checkout\ndescription:/);
    for (const [, path = ''] of read('SKILL.md').matchAll(/`(docs\/[^`]*)`/g))
      assert.ok(existsSync(join(folder, path)), path);
  });
});

describe('the site in the package of the relay', () => {
  const linksOf = (page: string): string[] =>
    [...page.matchAll(/ (?:href|src|data-index)="([^"]*)"/g)].map(([, link = '']) => link);
  let pages: string[];
  before(async () => {
    await writeSite(folder);
    pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.html'),
    );
  });

  it('has a page beside each document, and begins with index.html', () => {
    for (const file of documents.filter((name) => name.startsWith('docs/'))) {
      const page = file.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');
      assert.ok(pages.includes(page), page);
    }
    assert.ok(pages.includes('docs/index.html'));
  });

  it('leads only to its own files, or to the repository by the version', () => {
    for (const page of pages)
      for (const link of linksOf(read(page))) {
        if (/^(https?:|mailto:)/.test(link)) continue;
        const [path = '', hash] = link.split('#');
        const file = path === '' ? page : join(dirname(page), path);
        assert.doesNotMatch(link, /^\//, page);
        assert.ok(existsSync(join(folder, file)), `${page}: ${link}`);
        if (hash !== undefined && file.endsWith('.html'))
          assert.ok(read(file).includes(` id="${hash}"`), `${page}: ${link}`);
      }
  });

  it('loads neither a module nor a picture nor anything from elsewhere', () => {
    for (const page of pages) {
      assert.doesNotMatch(read(page), /type="module"|<img|<pay-checkout|src="https?:/, page);
      assert.equal(read(page).match(/<script/g)?.length, 1, page);
    }
    assert.doesNotMatch(read('docs/docs.js'), /\bimport\b|^export/m);
  });

  it('has the text of all documents in llms-full.txt', () => {
    const whole = read('llms-full.txt');
    for (const file of documents.filter((name) => name.startsWith('docs/')))
      assert.ok(whole.includes(`<!-- ${file} -->`), file);
    for (const [, link = ''] of whole.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g))
      assert.ok(existsSync(join(folder, link)), link);
  });
});
