/** Each framework and runtime that tests try has a quick start. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { addressOf, BASE, navigation } from '../../../demo/docs-site/files.js';
import { quickStarts } from '../contract/quick-start.js';
import { environments } from '../../proofs/frameworks/environments.js';
import { runtimes } from '../../proofs/runtimes/runtimes.js';
import { codeBlocks, fileOf } from './code-blocks.js';

const pages = Object.keys(quickStarts()).map((page) => `docs/${page}`);

/** The name of the page for a shop's folder or a runtime, where the two names differ. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'react-18': 'react',
  'react-19': 'react',
  vite: 'html',
  node: 'express',
};

describe('the quick starts', () => {
  it('has a quick start for every framework and runtime that is tried', () => {
    const relays = Object.keys(runtimes).filter((name) => runtimes[name]?.tests.includes('relay'));
    const tried = [...environments.map(({ folder }) => folder), ...relays];
    const missing = tried
      .map((name) => `docs/quick-start/${OTHER_NAMES[name] ?? name}.md`)
      .filter((page) => !pages.includes(page));
    assert.deepEqual(missing, []);
  });

  it('links every quick start from the README and from the documentation’s site', () => {
    const readme = readFileSync(fileOf('README.md'), 'utf8');
    const group = navigation().find(({ title }) => title === 'Quick start');
    assert.deepEqual(
      pages.filter((page) => !readme.includes(`](${page})`)),
      [],
    );
    assert.deepEqual(
      group?.files.map(addressOf).sort(),
      pages.map((page) => `${BASE}${page.slice('docs/'.length, -'.md'.length)}.html`).sort(),
    );
  });

  it('takes the relay’s address from no visitor, who could name a stranger’s relay', () => {
    for (const { code, page } of codeBlocks())
      assert.doesNotMatch(code, /\bget\(\s*['"]relay['"]|\bquery\.relay\b|[?&]relay=/, page);
  });

  it('lets init write the addresses, so that nobody edits its file for a first payment', () => {
    const edited = [...pages, 'docs/guides/static-shop.md'].filter((page) =>
      /In `relay\.config\.json` set|[Aa]dd the\s+catalogue to `relay\.config\.json`/.test(
        readFileSync(fileOf(page), 'utf8'),
      ),
    );
    assert.deepEqual(edited, []);
  });
});
