/** The code in the guide to Medusa is that of the shop in which `npm run medusa` pays. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { medusaManifest } from '../packages/manifests.js';
import { codeBlocks } from './code-blocks.js';

const root = new URL('../../../', import.meta.url);
const shop = new URL('test/proofs/frameworks/medusa/', root);
const guide = readFileSync(new URL('docs/guides/medusa.md', root), 'utf8');
const blocks = codeBlocks('ts').filter(({ page }) => page === 'docs/guides/medusa.md');

const linesOf = (code: string): string[] =>
  code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'));

/** @returns the lines of the block that the file does not have after the lines before */
function missingLines(code: string, file: string): string[] {
  let rest = linesOf(readFileSync(new URL(file, shop), 'utf8'));
  return linesOf(code).filter((line) => {
    const at = rest.indexOf(line);
    if (at < 0) return true;
    rest = rest.slice(at + 1);
    return false;
  });
}

describe('the guide to Medusa', () => {
  it('shows the configuration and the hooks of the shop that npm run medusa pays in', () => {
    const files = ['medusa-config.ts', 'src/workflows/hooks/pay-checkout.ts'];
    assert.equal(blocks.length, files.length);
    for (const [index, file] of files.entries())
      assert.deepEqual(missingLines(blocks[index]?.code ?? '', file), [], file);
  });

  it('names the least versions of Medusa and Node.js that the plugin needs', () => {
    const { engines, peerDependencies } = medusaManifest;
    const medusa = /^\^(\d+\.\d+)\./.exec(peerDependencies['@medusajs/medusa'] ?? '')?.[1];
    const node = engines.node?.replace('>=', '');
    assert.ok(guide.includes(`You need Node.js ${node} and Medusa ${medusa}, or newer`));
  });
});
