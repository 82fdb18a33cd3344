/**
 * The plugin for WordPress is in the packages with the unchanged PHP file, and PHP can read it.
 * `npm run wordpress` runs it.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { temporaryFolder } from '../../suite/support/temporary-folder.js';
import { writeDocs } from '../packages/docs.js';
import { root } from '../packages/manifests.js';
import { codeBlocks } from './code-blocks.js';

const php = `${root}docs/quick-start/php/`;
const hasPhp = spawnSync('php', ['--version']).status === 0;
// nobody notices a skipped test in CI
const skip = !hasPhp && process.env.CI !== 'true' ? 'this machine has no PHP' : false;

const blocks = (language: string): string[] =>
  codeBlocks(language)
    .filter(({ page }) => page === 'docs/guides/wordpress.md')
    .map(({ code }) => code);

describe('the plugin for WordPress', () => {
  const folder = temporaryFolder('wordpress-plugin');
  const plugin = join(folder, 'wp-content/plugins/pay-checkout');

  before(() => {
    const packed = join(folder, 'package');
    writeDocs(packed, { forOperators: false });
    mkdirSync(join(folder, 'wp-content/plugins'), { recursive: true });
    const [copy = ''] = blocks('sh');
    execFileSync('sh', ['-ec', copy.replaceAll('~/pay-checkout/', `${packed}/`)], { cwd: folder });
  });

  it('is in the packages, and the commands of the guide copy it with pay-checkout.php', () => {
    const parts = readdirSync(`${php}wordpress`);
    assert.ok(parts.includes('plugin.php'));
    assert.deepEqual(readdirSync(plugin).sort(), [...parts, 'pay-checkout.php'].sort());
    const sources = [`${php}pay-checkout.php`, ...parts.map((part) => `${php}wordpress/${part}`)];
    for (const source of sources)
      assert.equal(
        readFileSync(join(plugin, source.split('/').at(-1) ?? ''), 'utf8'),
        readFileSync(source, 'utf8'),
        source,
      );
  });

  it('needs the versions that the guide names', () => {
    const head = readFileSync(`${php}wordpress/plugin.php`, 'utf8');
    const version = (name: string): string =>
      new RegExp(`${name}: ([\\d.]+)`).exec(head)?.[1] ?? '';
    const [wordpress, ofPhp] = [version('Requires at least'), version('Requires PHP')];
    const guide = readFileSync(`${root}docs/guides/wordpress.md`, 'utf8');
    assert.ok(guide.includes(`WordPress ${wordpress} and PHP ${ofPhp}, or newer`));
  });

  it('defines in wp-config.php each setting that the plugin reads, and no other', () => {
    const names = (text: string): string[] => text.match(/PAY_CHECKOUT_\w+/g) ?? [];
    const all = readdirSync(`${php}wordpress`).flatMap((part) =>
      names(readFileSync(`${php}wordpress/${part}`, 'utf8')),
    );
    const [config = ''] = blocks('php');
    assert.deepEqual(names(config).sort(), [...new Set(all)].sort());
  });

  it('is read by PHP without an error, as is the code of the guide', { skip }, () => {
    const [config = '', shop = ''] = blocks('php');
    writeFileSync(join(plugin, 'guide-config.php'), `<?php\n${config}`);
    writeFileSync(join(plugin, 'guide-shop.php'), shop.trimStart());
    const files = readdirSync(plugin);
    assert.ok(files.length > 5);
    for (const file of files) {
      const { status, stdout, stderr } = spawnSync('php', ['-l', join(plugin, file)], {
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${file}: ${stdout}${stderr}`);
    }
  });
});
