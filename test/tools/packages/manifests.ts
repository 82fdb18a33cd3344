/** The package.json of each published package; version and dependencies are those of the root. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

const rootManifest = z.object({
  version: z.string(),
  license: z.string(),
  /** The address of the repository; the other addresses are built from it. */
  homepage: z.url(),
  engines: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
});

export const repository = rootManifest.parse(
  JSON.parse(readFileSync(`${root}package.json`, 'utf8')),
);

/** The peer dependency on a platform: the version of the shop in which the plugin is tried. */
const platform = (shop: string, name: string): Record<string, string> => {
  const manifest = readFileSync(`${root}test/proofs/frameworks/${shop}/package.json`, 'utf8');
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(manifest));
  return { [name]: `^${dependencies[name]}` };
};

/** The modules that a package exports, by subpath: their paths without ending. */
export type Entries = Readonly<Record<string, string>>;

export const elementEntries: Entries = {
  '.': 'widget/index',
  './define': 'widget/define',
  './react': 'widget/react/index',
  './shop': 'widget/shop/index',
};
/** Types of the tag in a framework, written by hand because the framework is not installed here. */
export const frameworkTypes = ['preact', 'solid', 'svelte', 'vue'] as const;
/** The framework's package, where it has another name. */
const FRAMEWORK_PACKAGES: Readonly<Record<string, string>> = { solid: 'solid-js' };
const frameworkPackages = frameworkTypes.map((name) => FRAMEWORK_PACKAGES[name] ?? name);

/** The modules that load lit; each is exported through a wrapper that needs no DOM. */
const NEED_DOM = ['widget/index', 'widget/define', 'widget/react/index'];

/** @returns the name of the wrapper of an element's entry, null when it has none */
export const wrapperOf = (subpath: string): string | null => {
  if (!NEED_DOM.includes(elementEntries[subpath] ?? '')) return null;
  return subpath === '.' ? 'index' : subpath.slice(2);
};

/** How a package imports a placeholder for the DOM; lit's own build for Node.js needs none. */
const placeholder = (file: string): Record<string, string> => ({
  browser: `./dist/widget/browser/${file}.js`,
  node: './dist/nothing.js',
  default: `./dist/widget/browser/${file}.js`,
});

export const relayEntries: Entries = {
  '.': 'relay/index',
  './node': 'relay/server',
  './order-service': 'relay/order-service/index',
  './sandbox': 'relay/sandbox/index',
  './testing': 'relay/testing/index',
  './express': 'relay/adapters/express',
  './fastify': 'relay/adapters/fastify',
  './hono': 'relay/adapters/hono',
  './next': 'relay/adapters/next',
};

/** It is bundled into the element's script, so the relay's package does not depend on it. */
const ELEMENT_DEPENDENCIES = ['lit'];

/**
 * Copies in CommonJS. Node.js loads the module also by `require`; only what knows `require` but not
 * `module-sync`, such as Jest 29, loads the copy, so that no program has both.
 */
const IN_COMMONJS: Readonly<Record<string, string>> = { 'widget/shop/index': './dist/shop' };

type Export = { types: string; default: string };

const exportsOf = (entries: Entries, fileOf = wrapperOf): Record<string, Export> =>
  Object.fromEntries(
    Object.entries(entries).map(([subpath, path]) => {
      const file = fileOf(subpath) ?? path;
      const module = { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` };
      const copy = IN_COMMONJS[path];
      const conditions = copy !== undefined && {
        'module-sync': module,
        require: { types: `${copy}.d.cts`, default: `${copy}.cjs` },
      };
      return [subpath, { ...conditions, ...module }];
    }),
  );

/** TypeScript with `moduleResolution: node` reads these fields, and not `exports`. */
const typesOf = (entries: Readonly<Record<string, Export>>) => ({
  types: entries['.']?.types,
  typesVersions: {
    '*': Object.fromEntries(
      Object.entries(entries).flatMap(([subpath, { types }]) =>
        subpath === '.' ? [] : [[subpath.slice(2), [types]]],
      ),
    ),
  },
});

const { dependencies, engines, homepage, license, version } = repository;
const shared = {
  version,
  type: 'module',
  license,
  engines,
  repository: { type: 'git', url: `git+${homepage}.git` },
  homepage,
  bugs: `${homepage}/issues`,
  files: ['dist', 'docs', '*.md', '*.txt', '*.cdx.json'],
  publishConfig: { access: 'public', provenance: true },
};

const elementExports: Record<string, Export> = {
  ...exportsOf(elementEntries),
  ...Object.fromEntries(
    frameworkTypes.map((name) => [
      `./${name}`,
      { types: `./dist/widget/frameworks/${name}.d.ts`, default: './dist/nothing.js' },
    ]),
  ),
  './pay-checkout.js': { types: './dist/pay-checkout.d.ts', default: './dist/pay-checkout.js' },
};

export type Manifest = typeof elementManifest | typeof relayManifest;

export const elementManifest = {
  name: 'pay-checkout',
  description:
    'A checkout for a payment and crypto order service: the element and the shop’s side.',
  keywords: ['checkout', 'payment', 'web component', 'custom element', 'qr', 'crypto'],
  ...shared,
  // only these run code when they are imported; a bundler must keep them
  sideEffects: [
    './dist/*.js',
    './dist/widget/begin.js',
    './dist/widget/define.js',
    './dist/widget/browser/placeholder-dom*.js',
  ],
  imports: {
    '#placeholder-dom': placeholder('placeholder-dom'),
    '#placeholder-dom-end': placeholder('placeholder-dom-end'),
  },
  ...typesOf(elementExports),
  exports: {
    ...elementExports,
    './custom-elements.json': './dist/custom-elements.json',
    './locales/*.json': './dist/locales/*.json',
    './themes/*.css': './dist/themes/*.css',
    './package.json': './package.json',
  },
  customElements: 'dist/custom-elements.json',
  dependencies: { lit: dependencies.lit ?? '' },
  peerDependencies: {
    react: '>=18',
    ...Object.fromEntries(frameworkPackages.map((name) => [name, '*'])),
  },
  peerDependenciesMeta: Object.fromEntries(
    ['react', ...frameworkPackages].map((name) => [name, { optional: true }]),
  ),
};

const relayExports = exportsOf(relayEntries, () => null);

export const relayManifest = {
  name: 'pay-checkout-relay',
  description: 'The relay of pay-checkout: server, commands, typed client, sandbox.',
  keywords: ['checkout', 'payment', 'relay', 'sandbox', 'qr', 'crypto'],
  ...shared,
  bin: { 'pay-checkout-relay': 'dist/relay/commands/main.js' },
  sideEffects: ['./dist/pay-checkout.js', './dist/relay/commands/main.js'],
  ...typesOf(relayExports),
  exports: {
    ...relayExports,
    './config.schema.json': './dist/config.schema.json',
    './package.json': './package.json',
  },
  dependencies: Object.fromEntries(
    Object.entries(dependencies).filter(([name]) => !ELEMENT_DEPENDENCIES.includes(name)),
  ),
  // the console loads it when a person uses a passkey (relay/console/web-authn.ts)
  peerDependencies: { '@simplewebauthn/server': '^14.0.0' },
  peerDependenciesMeta: { '@simplewebauthn/server': { optional: true } },
};

/** The folder of a Medusa plugin in which Medusa looks for its parts. */
export const MEDUSA_PARTS = '.medusa/server/src';

const medusaPart = (path: string): Export => ({
  types: `./${MEDUSA_PARTS}/${path}/index.d.ts`,
  default: `./${MEDUSA_PARTS}/${path}/index.js`,
});
const medusaExports = {
  './workflows': medusaPart('workflows'),
  './providers/*': medusaPart('providers/*'),
};

export const medusaManifest = {
  name: 'pay-checkout-medusa',
  description: 'A Medusa 2 plugin that takes payments with pay-checkout.',
  keywords: ['medusa', 'medusa-v2', 'medusa-plugin', 'medusa-plugin-payment', 'checkout'],
  ...shared,
  // a Medusa project consists of CommonJS modules
  type: 'commonjs',
  files: ['.medusa/server', '*.md'],
  typesVersions: typesOf(medusaExports).typesVersions,
  exports: { ...medusaExports, './package.json': './package.json' },
  peerDependencies: {
    ...platform('medusa', '@medusajs/framework'),
    ...platform('medusa', '@medusajs/medusa'),
    [elementManifest.name]: `^${version}`,
  },
};

const vendureExports = { '.': { types: './dist/index.d.ts', default: './dist/index.js' } };

export const vendureManifest = {
  name: 'pay-checkout-vendure',
  description: 'A Vendure plugin that takes payments with pay-checkout.',
  keywords: ['vendure', 'vendure-plugin', 'checkout', 'payment'],
  ...shared,
  // a Vendure project consists of CommonJS modules
  type: 'commonjs',
  files: ['dist', '*.md'],
  main: vendureExports['.'].default,
  types: vendureExports['.'].types,
  exports: { ...vendureExports, './package.json': './package.json' },
  peerDependencies: {
    // the ranges of Vendure, whose copies the plugin must use: with another range npm adds a second
    '@nestjs/common': '^11.0.12',
    typeorm: '^0.3.21',
    ...platform('vendure', '@vendure/core'),
    [elementManifest.name]: `^${version}`,
  },
};
