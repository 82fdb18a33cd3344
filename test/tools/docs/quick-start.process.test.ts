/** Each framework and runtime that tests try has a quick start; Workers' configures a relay. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { addressOf, BASE, navigation } from '../../../demo/docs-site/files.js';
import { answersAsConfig } from '../../../relay/commands/init-config.js';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { quickStarts } from '../contract/quick-start.js';
import { environments } from '../../proofs/frameworks/environments.js';
import { runtimes } from '../../proofs/runtimes/runtimes.js';
import { codeBlocks, fileOf } from './code-blocks.js';

const WORKERS = 'docs/quick-start/workers.md';
const pages = Object.keys(quickStarts()).map((page) => `docs/${page}`);

/** The name of the page for a shop's folder or a runtime, where the two names differ. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'react-18': 'react',
  'react-19': 'react',
  vite: 'html',
  node: 'express',
  workerd: 'workers',
};

describe('the quick starts', () => {
  it('has a quick start for every framework and runtime that is tried', () => {
    const tried = [...environments.map(({ folder }) => folder), ...Object.keys(runtimes)];
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

  it('lets init write the addresses, so that nobody edits its file for a first payment', () => {
    const edited = [...pages, 'docs/guides/static-shop.md'].filter((page) =>
      /In `relay\.config\.json` set|[Aa]dd the\s+catalogue to `relay\.config\.json`/.test(
        readFileSync(fileOf(page), 'utf8'),
      ),
    );
    assert.deepEqual(edited, []);
  });

  it('configures a relay from variables only when the page’s fields replace those of init', () => {
    const block = (language: string, text: string): string =>
      codeBlocks(language).find(({ code, page }) => page === WORKERS && code.includes(text))
        ?.code ?? assert.fail(`${WORKERS} has no ${text}`);
    const written = answersAsConfig({ origin: 'http://localhost:3000' }, 'secrets');
    const folder = mkdtempSync(join(tmpdir(), 'workers-'));
    try {
      mkdirSync(join(folder, 'secrets'));
      for (const name of ['order-token-key', 'secret-key', 'request-id-key'])
        writeFileSync(join(folder, 'secrets', name), `${name} of at least thirty-two bytes\n`);
      execFileSync('sh', ['-c', block('sh', '.dev.vars <<')], { cwd: folder });
      const lines = readFileSync(join(folder, '.dev.vars'), 'utf8').trim().split('\n');
      const variables = new Map(lines.map((line) => line.split('=') as [string, string]));
      const readVariable = (secret: { env: string } | { file: string }): string | undefined =>
        'env' in secret ? variables.get(secret.env) : undefined;
      const fields = JSON.parse(block('json', '"public_url"')) as object;
      const config = parseConfig({ ...written, ...fields }, readVariable);
      const keys = config.secret_key?.map((secret) => secret.reveal());
      assert.deepEqual(keys, ['secret-key of at least thirty-two bytes']);
      assert.throws(() => parseConfig(written, readVariable), /secret_key/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
