/** The documentation in a package is whole, and works without a network. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { codeBlocks } from '../docs/code-blocks.js';
import { writeDocs } from './docs.js';
import { repository, root } from './manifests.js';

const folder = mkdtempSync(join(tmpdir(), 'packed-docs-'));
after(() => rmSync(folder, { recursive: true }));
writeDocs(folder);

const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const documents = files.filter((name) => name.endsWith('.md'));

describe('the documentation in a package', () => {
  it('has every document, and links only to what is packed or in the repository', () => {
    assert.ok(documents.length > 50);
    for (const file of [...documents, 'llms.txt'])
      for (const [, link = ''] of read(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
        const own = new RegExp(`^${repository.homepage}/(?:blob|raw)/v[^/]+/(.+)$`).exec(link)?.[1];
        if (own !== undefined) assert.ok(existsSync(join(root, own)), `${file}: ${link}`);
        else if (!/^(https?|mailto):/.test(link))
          assert.ok(existsSync(join(folder, dirname(file), link)), `${file}: ${link}`);
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
