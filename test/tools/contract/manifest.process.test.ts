/** The custom-elements manifest, which editors and documentation tools read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const named = z.array(z.object({ name: z.string(), description: z.string().min(1) }));
const elementSchema = z.object({
  tagName: z.literal('pay-checkout'),
  attributes: named,
  events: named,
  cssParts: named,
  cssProperties: named,
});
const manifestSchema = z.object({
  modules: z.array(
    z.object({
      path: z.string(),
      declarations: z.array(z.object({ name: z.string() }).loose()),
      exports: z.array(z.object({ kind: z.string(), name: z.string() })),
    }),
  ),
});
const contractSchema = z.object({
  attributes: z.array(z.string()),
  events: z.array(z.string()),
  parts: z.array(z.string()),
  customProperties: z.array(z.string()),
});

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const namesOf = (items: z.infer<typeof named>): string[] => items.map(({ name }) => name).sort();

describe('custom-elements manifest', () => {
  let folder: string;
  let manifest: z.infer<typeof manifestSchema>;

  before(() => {
    folder = mkdtempSync(join(root, 'node_modules/.manifest-'));
    const cem = join(root, 'node_modules/@custom-elements-manifest/analyzer/cem.js');
    const options = ['analyze', '--quiet', '--outdir', relative(root, folder)];
    execFileSync(process.execPath, [cem, ...options], { cwd: root });
    manifest = manifestSchema.parse(readJson(join(folder, 'custom-elements.json')));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('lists every attribute, event, part and custom property of the public contract', () => {
    const contract = contractSchema.parse(
      readJson(join(root, 'test/tools/contract/public-contract.json')),
    );
    const declared = manifest.modules
      .flatMap(({ declarations }) => declarations)
      .find(({ name }) => name === 'PayCheckout');
    const element = elementSchema.parse(declared);
    assert.deepEqual(namesOf(element.attributes), contract.attributes);
    assert.deepEqual(namesOf(element.events), contract.events);
    assert.deepEqual(namesOf(element.cssParts), contract.parts);
    assert.deepEqual(namesOf(element.cssProperties), contract.customProperties);
  });

  it('types every attribute of the public contract for the frameworks', () => {
    const { attributes } = contractSchema.parse(
      readJson(join(root, 'test/tools/contract/public-contract.json')),
    );
    const source = readFileSync(join(root, 'widget/attributes.ts'), 'utf8');
    const typed = [...source.matchAll(/^ {2}'?([a-z-]+)'?\?:/gm)].map(([, name]) => name);
    // a page reads these two, and does not set them
    const settable = attributes.filter((name) => !['phase', 'outcome'].includes(name));
    assert.deepEqual(typed.sort(), settable);
  });

  it('names in the manifest the modules that the package ships', () => {
    for (const { path } of manifest.modules) {
      assert.match(path, /^dist\/widget\/[a-z-]+\.js$/);
      assert.ok(existsSync(join(root, path.replace(/^dist\/(.+)\.js$/, '$1.ts'))), path);
    }
    const definitions = manifest.modules
      .flatMap(({ exports }) => exports)
      .filter(({ kind }) => kind === 'custom-element-definition');
    assert.deepEqual(
      definitions.map(({ name }) => name),
      ['pay-checkout'],
    );
  });
});
