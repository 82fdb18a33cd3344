/** The code in the guides to shop platforms is that of the shops in which the proofs pay. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { medusaManifest, vendureManifest } from '../packages/manifests.js';
import { codeBlocks } from './code-blocks.js';

const root = new URL('../../../', import.meta.url);

type Plugin = { peerDependencies: Readonly<Record<string, string>> };
const peers = ({ peerDependencies }: Plugin) => peerDependencies;

const platforms = {
  medusa: {
    files: ['medusa-config.ts', 'src/workflows/hooks/pay-checkout.ts'],
    name: 'Medusa',
    needed: peers(medusaManifest)['@medusajs/medusa'],
  },
  vendure: {
    files: ['src/vendure-config.ts'],
    name: 'Vendure',
    needed: peers(vendureManifest)['@vendure/core'],
  },
};

const linesOf = (code: string): string[] =>
  code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'));

/** @returns the lines of the block that the file does not have after the lines before */
function missingLines(code: string, file: URL): string[] {
  let rest = linesOf(readFileSync(file, 'utf8'));
  return linesOf(code).filter((line) => {
    const at = rest.indexOf(line);
    if (at < 0) return true;
    rest = rest.slice(at + 1);
    return false;
  });
}

for (const [platform, { files, name, needed }] of Object.entries(platforms))
  describe(`the guide to ${name}`, () => {
    const path = `docs/guides/${platform}.md`;

    it(`shows the code of the shop that npm run ${platform} pays in`, () => {
      const shop = new URL(`test/proofs/frameworks/${platform}/`, root);
      const blocks = codeBlocks('ts').filter(({ page }) => page === path);
      assert.equal(blocks.length, files.length);
      for (const [index, file] of files.entries())
        assert.deepEqual(missingLines(blocks[index]?.code ?? '', new URL(file, shop)), [], file);
    });

    it(`names the least versions of ${name} and Node.js that the plugin needs`, () => {
      const version = /^\^(\d+\.\d+)\./.exec(needed ?? '')?.[1];
      const node = medusaManifest.engines.node?.replace('>=', '');
      const guide = readFileSync(new URL(path, root), 'utf8');
      assert.ok(guide.includes(`You need Node.js ${node} and ${name} ${version}, or newer`));
    });
  });
