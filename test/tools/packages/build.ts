/** Builds the packages into one folder, without any file of an earlier build. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { build as bundle } from 'vite';
import { z } from 'zod';
import { configJsonSchema } from '../contract/config-json-schema.js';
import { compile, write, writeCommonJsTypes } from './compile.js';
import {
  elementEntries,
  elementManifest,
  frameworkTypes,
  medusaManifest,
  MEDUSA_PARTS,
  relayEntries,
  relayManifest,
  root,
  vendureManifest,
  wrapperOf,
  type Manifest,
} from './manifests.js';
import { billOf, licencesOf, readBill } from './materials.js';
import { writeDocs, writeSite } from './docs.js';
import { compilePlugin, medusaSource, vendureSource } from './plugins.js';
import { readme } from './readme.js';

const COMMANDS = 'relay/commands';
const PLACEHOLDERS = [
  'widget/browser/placeholder-dom',
  'widget/browser/placeholder-dom-end',
] as const;
/** The types of the frameworks import this module. */
const ATTRIBUTES = 'widget/attributes';

type Script = { out: string; libraries: readonly string[] };

/** @returns the folders of the packages, ready for `npm pack` */
export async function buildPackages(folder: string): Promise<string[]> {
  const bill = readBill();
  const script = await buildScript(folder);
  const begin = (manifest: { name: string }): string => {
    const own = join(folder, manifest.name);
    write(join(own, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    write(join(own, 'README.md'), readme(manifest.name));
    for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(root + file, join(own, file));
    return own;
  };
  const finish = (manifest: Manifest, bundled: readonly string[]): string => {
    const own = begin(manifest);
    write(join(own, 'THIRD_PARTY_LICENSES.txt'), licencesOf(bill, manifest, bundled));
    write(join(own, 'sbom.cdx.json'), `${billOf(bill, manifest, bundled)}\n`);
    writeDocs(own, { forOperators: manifest.name === relayManifest.name });
    return own;
  };
  // a plugin has no library of others, and the documentation is in the package that it needs
  compilePlugin(medusaSource, join(folder, medusaManifest.name, MEDUSA_PARTS));
  compilePlugin(vendureSource, join(folder, vendureManifest.name, 'dist'));
  const elementOut = join(folder, elementManifest.name, 'dist');
  const element = finish(elementManifest, await buildElement(elementOut, script));
  const relayOut = join(folder, relayManifest.name, 'dist');
  const relay = finish(relayManifest, await buildRelay(relayOut, script));
  await writeSite(relay);
  return [element, relay, begin(medusaManifest), begin(vendureManifest)];
}

/** Writes the modules and the types of the element's package, without what is bundled. */
export function compileElement(out: string): void {
  const entries = [...Object.values(elementEntries), ...PLACEHOLDERS, ATTRIBUTES];
  compile(entries, out, { withoutZod: true });
  for (const name of frameworkTypes) {
    const file = `widget/frameworks/${name}.d.ts`;
    write(join(out, file), readFileSync(root + file, 'utf8'));
  }
  writeWrappers(out);
  write(join(out, 'pay-checkout.d.ts'), "import './widget/define.js';\nexport {};\n");
  writeCommonJsTypes(out, 'widget/shop/index');
  write(join(out, 'shop.d.cts'), "export * from './widget/shop/index.cjs';\n");
}

/** Writes the modules and the types of the relay's package, without what is bundled. */
export const compileRelay = (out: string): void => compile(Object.values(relayEntries), out);

async function buildElement(out: string, script: Script): Promise<string[]> {
  compileElement(out);
  cpSync(script.out, out, { recursive: true });
  const libraries = [...(await buildShop(out)), ...script.libraries];
  for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' }))
    if (/\.(br|gz)$/.test(file)) rmSync(join(out, file));
  const cem = `${root}node_modules/@custom-elements-manifest/analyzer/cem.js`;
  execFileSync(process.execPath, [cem, 'analyze', '--quiet', '--outdir', relative(root, out)], {
    cwd: root,
  });
  // editors read it; without its line breaks the package is 20 kB smaller
  const manifest = join(out, 'custom-elements.json');
  write(manifest, JSON.stringify(JSON.parse(readFileSync(manifest, 'utf8'))));
  return [...new Set(libraries)];
}

/** Each wrapper loads lit with placeholders for the DOM, and then the module without them. */
function writeWrappers(out: string): void {
  write(join(out, 'nothing.js'), 'export {};\n');
  for (const [subpath, path] of Object.entries(elementEntries)) {
    const name = wrapperOf(subpath);
    if (name === null) continue;
    const all = `export * from './${path}.js';\n`;
    const directive = subpath === './react' ? "'use client';\n" : '';
    const loaded = ['#placeholder-dom', 'lit', '#placeholder-dom-end'];
    const imports = loaded.map((specifier) => `import '${specifier}';\n`).join('');
    write(join(out, `${name}.js`), directive + imports + all);
    write(join(out, `${name}.d.ts`), all);
  }
}

async function buildRelay(out: string, script: Script): Promise<string[]> {
  compileRelay(out);
  const commands = join(out, COMMANDS);
  const libraries = await run({ mode: 'command', build: { outDir: commands } });
  // an installer keeps the mode of the file that a bin names
  chmodSync(join(commands, 'main.js'), 0o755);
  write(join(out, 'config.schema.json'), `${JSON.stringify(configJsonSchema(), null, 1)}\n`);
  cpSync(script.out, out, { recursive: true });
  const console = await run({ mode: 'console', build: { outDir: join(out, 'console') } });
  const others = [...script.libraries, ...console, ...(await buildRenderer(out))];
  return [...new Set([...libraries, ...others])];
}

/**
 * Builds the shop's side in CommonJS for test runners. Their simulated browsers lack what
 * WebCrypto needs, so it comes from Node.js.
 *
 * @returns the bundled libraries
 */
const buildShop = (out: string): Promise<string[]> =>
  run({
    mode: 'library',
    build: {
      outDir: out,
      emptyOutDir: false,
      minify: false,
      target: 'node20',
      lib: { entry: 'widget/shop/index.ts', formats: ['cjs'], fileName: () => 'shop.cjs' },
      rolldownOptions: {
        external: /^node:/,
        output: {
          intro: `const { webcrypto: crypto } = require('node:crypto');
const { TextDecoder, TextEncoder } = require('node:util');`,
        },
      },
    },
  });

/**
 * Builds the renderer for the server, with lit's renderer inside, and its style sheet.
 *
 * @returns the bundled libraries
 */
const buildRenderer = (out: string): Promise<string[]> =>
  run({ mode: 'renderer', build: { outDir: out } });

/**
 * Builds the element as a classic script, with texts and themes beside it.
 *
 * @returns its folder, and the libraries in it
 */
async function buildScript(folder: string): Promise<Script> {
  const out = join(folder, 'script');
  mkdirSync(out, { recursive: true });
  return { out, libraries: await run({ build: { outDir: out } }) };
}

/** @returns the libraries whose code is in the output */
async function run(options: NonNullable<Parameters<typeof bundle>[0]>): Promise<string[]> {
  const result = await bundle({
    root,
    configFile: `${root}vite.config.ts`,
    logLevel: 'error',
    ...options,
  });
  const outputs = Array.isArray(result) ? result : [result];
  const modules = outputs.flatMap((each) =>
    'output' in each
      ? each.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
      : [],
  );
  const names = modules.flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** The name of the file that `npm pack` writes for a built package. */
export const tarballOf = (folder: string): string => {
  const manifest = z
    .object({ name: z.string(), version: z.string() })
    .parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  return `${manifest.name}-${manifest.version}.tgz`;
};
