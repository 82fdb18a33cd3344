/**
 * Builds the element as one classic script.
 * `--mode renderer` builds the same views for the relay, which renders them on the server.
 * `--mode console` builds the operator's console.
 * `--mode command` builds the command `pay-checkout-relay` as one file, because loading some 900
 * files of its dependencies would take two thirds of the time to start. It is CommonJS, because V8
 * keeps compiled code of no other kind on Node 20.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { minifyHTMLLiterals } from 'minify-literals';
import { defineConfig, type BuildOptions, type Plugin, type UserConfig } from 'vite';
import { similarBeside } from './test/tools/packages/similar-beside.js';
import { UNUSED_OF_LIT } from './test/tools/packages/unused-of-lit.js';
import { en } from './widget/texts/en.js';

const path = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/** Removes white space in templates and style sheets, which a minifier of scripts leaves there. */
const minifyTemplates = (): Plugin => ({
  name: 'minify-templates',
  transform: {
    // The excluded file builds its style sheet at run time, from one that is minified.
    filter: { id: { include: /\/widget\/.*\.ts$/, exclude: /older-colours|server.lit/ } },
    handler: async (code, fileName) => {
      const minified = await minifyHTMLLiterals(code, { fileName });
      return minified && { code: minified.code, map: null };
    },
  },
});

/**
 * Adds the other files that the relay serves: texts as compact JSON, and themes and marks.
 */
const emitAssets = (): Plugin => ({
  name: 'emit-assets',
  generateBundle() {
    const english = JSON.stringify({ locale: 'en', ...en });
    this.emitFile({ type: 'asset', fileName: 'locales/en.json', source: english });
    for (const [folder, name] of [
      ['widget/texts/locales', 'locales'],
      ['widget/themes', 'themes'],
      ['widget/marks', 'marks'],
    ] as const)
      for (const file of readdirSync(path(folder))) {
        const text = readFileSync(path(`${folder}/${file}`), 'utf8');
        const source = file.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text;
        if (/\.(json|css|svg)$/.test(file))
          this.emitFile({ type: 'asset', fileName: `${name}/${file}`, source });
      }
  },
});

/** Settings of brotli that suit scripts; which one is the best changes with each script. */
const BROTLI_SETTINGS = [16, 17].flatMap((block) =>
  [0, 1, 2, 3].flatMap((postfix) =>
    [0, 1, 4, 8, 15].map((direct) => ({
      [constants.BROTLI_PARAM_LGBLOCK]: block,
      [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
      [constants.BROTLI_PARAM_NDIRECT]: direct << postfix,
    })),
  ),
);

/** The smallest of several results for the script; other files are compressed once. */
const brotli = (name: string, body: Buffer): Buffer =>
  (/^pay-checkout\.js$/.test(name) ? BROTLI_SETTINGS : [{}])
    .map((params) => brotliCompressSync(body, { params }))
    .reduce((least, other) => (other.length < least.length ? other : least));

/** Writes compressed files, because compressing at its start would take the relay most of 1 s. */
const compressAssets = (names = /./): Plugin => ({
  name: 'compress-assets',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => names.test(file))) {
      const body = readFileSync(join(dir, name));
      writeFileSync(join(dir, `${name}.br`), brotli(name, body));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(body, { level: 9 }));
    }
  },
});

/** Gives the style sheets' own properties, which begin with `--_`, a short name each. */
const shortenProperties = (): Plugin => ({
  name: 'shorten-properties',
  renderChunk(code) {
    const names = [...new Set(code.match(/--_\w+/g))];
    const short = (name: string): string => `--_${names.indexOf(name).toString(36)}`;
    return { code: code.replace(/--_\w+/g, short), map: null };
  },
});

/** Orders the functions of the minified script for its compression. */
const orderFunctions = (): Plugin => ({
  name: 'order-functions',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') chunk.code = similarBeside(joined(chunk.code));
  },
});

/** Removes the line ends inside functions of style sheets; a minified script has no others. */
const joined = (code: string): string =>
  code.replace(/([(,]\n\s+|\n\s+(?=\)))/g, (end) => end.trim());

/** Removes what the element never uses of Lit. */
const dropUnusedOfLit = (): Plugin => ({
  name: 'drop-unused-of-lit',
  transform: {
    filter: { id: /node_modules\/(lit-html|lit-element|@lit\/reactive-element)\// },
    handler: (code, id) => {
      const unused = Object.entries(UNUSED_OF_LIT).find(([file]) => id.endsWith(file))?.[1] ?? [];
      const shortened = unused.reduce((text, [pattern, instead]) => {
        const shorter = text.replace(pattern, instead);
        if (shorter === text) throw new Error(`${id} has nothing like ${pattern}`);
        return shorter;
      }, code);
      return { code: shortened, map: null };
    },
  },
});

/** The oldest browsers that docs/guides/the-element.md names; test/tools/floor/ checks the rest. */
const FLOOR = ['safari15.4', 'chrome100', 'edge100', 'firefox100'];

/** How each script for browsers is built. */
export const minified: BuildOptions = {
  target: FLOOR,
  // Terser finds more to shorten in what the bundler's own minifier has shortened before it.
  rolldownOptions: { output: { minify: { compress: { target: FLOOR }, mangle: false } } },
  minify: 'terser',
  terserOptions: {
    ecma: 2020,
    // Vite's default avoids faults of Safari 10, which is older than FLOOR.
    safari10: false,
    // The last three options are safe here: no code calls `new` on a function that terser would
    // turn into an arrow function, and no getter has a side effect.
    compress: {
      passes: 5,
      inline: 1,
      keep_fargs: false,
      pure_getters: true,
      unsafe_arrows: true,
      unsafe_methods: true,
    },
  },
};

/** A renderer has no window; one device pixel is one CSS pixel on most desktops. */
const NO_WINDOW = {
  devicePixelRatio: '1',
  innerWidth: '1280',
  innerHeight: '800',
  'location.hostname': '""',
  'navigator.share': 'undefined',
  // Lit's simulated DOM, which is left out (widget/server/no-dom.ts)
  litServerRoot: 'undefined',
};

/** Writes the style sheet that the renderer exports; its name contains its hash. */
const emitStyles = (): Plugin => ({
  name: 'emit-styles',
  async generateBundle(_, bundle) {
    const [chunk] = Object.values(bundle);
    if (chunk?.type !== 'chunk') throw new Error('the renderer was not built');
    const url = `data:text/javascript;base64,${Buffer.from(chunk.code).toString('base64')}`;
    const { styles }: { readonly styles: string } = await import(url);
    const hash = createHash('sha256').update(styles).digest('hex').slice(0, 16);
    const fileName = `pay-checkout-render.${hash}.css`;
    this.emitFile({ type: 'asset', fileName, source: styles });
  },
});

/** Contains its libraries, because the relay's package does not depend on them. */
const renderer: UserConfig = {
  publicDir: false,
  define: NO_WINDOW,
  ssr: { noExternal: true },
  resolve: {
    alias: [
      { find: /^lit$/, replacement: path('widget/server/lit.ts') },
      { find: /^@lit-labs\/ssr-dom-shim$/, replacement: path('widget/server/no-dom.ts') },
    ],
  },
  plugins: [minifyTemplates(), emitStyles(), compressAssets(/\.css$/)],
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist',
    emptyOutDir: false,
    rolldownOptions: {
      input: { 'pay-checkout-render': 'widget/server/render.ts' },
      output: { entryFileNames: '[name].js', codeSplitting: false },
    },
  },
};

/**
 * Properties of our own objects, which the script may call by one letter. A name of the platform,
 * of Lit, of the element's interface or of an answer of the relay must not be here.
 */
export const INTERNAL_NAMES = `
  actions asset attempts backToOrder beforeUnfolding canChoose cancelSpeech cancelStart changePage
  chooseAgain client comparePasted current customerFor deadline dispatch dropEarlyTap
  earlierPurchase environment flow follow forget framed fromEarlierVisit hostWillUpdate hosted
  imageHosts isEarlier isFirst isMine isMissingTold isSimple large leaveFor linkOpened linkSchemes
  listen loadWallets loadedTexts look maxQrPx mayBePaid modules money mostS nameLink nextS
  nextStep nothingOpened nowMs offer onBlind onExpired onOrder onPageChange onPhone onSpokenTime
  onState onSubmit onTick openLink openTarget opening orderOption others ownWords pageChanged
  pasted payAgain paying popupBlocked primary rememberedOption rendered screenChange secondary
  setBlind setCustomer settled showCode shown shownCode spoken startAnotherPurchase started steps
  stopCheckout stopListening subjectKey tagConfirmed takeTurn toggleTagConfirmed touch waitS
  warning way
`;
/** Lit's private names begin with `_$`, so that each build of a page may shorten them. */
const internalName = new RegExp(`^(_\\$\\w+|${INTERNAL_NAMES.trim().split(/\s+/).join('|')})$`);

const element: UserConfig = {
  publicDir: false,
  plugins: [
    minifyTemplates(),
    dropUnusedOfLit(),
    shortenProperties(),
    orderFunctions(),
    emitAssets(),
    compressAssets(),
  ],
  build: {
    ...minified,
    terserOptions: {
      ...minified.terserOptions,
      mangle: { properties: { regex: internalName } },
    },
    outDir: 'dist',
    emptyOutDir: false,
    lib: {
      entry: 'widget/define.ts',
      formats: ['iife'],
      name: 'PayCheckoutElement',
      fileName: () => 'pay-checkout.js',
    },
  },
};

/** The operator's console, which the relay serves on its own listener. */
const operatorConsole: UserConfig = {
  publicDir: false,
  plugins: [minifyTemplates(), compressAssets(/\.js$/)],
  build: {
    ...minified,
    outDir: 'dist/console',
    emptyOutDir: true,
    lib: { entry: 'widget/console/main.ts', formats: ['es'], fileName: () => 'console.js' },
  },
};

const COMMAND = 'command.cjs';
const LOADER = 'load-command.mjs';
type Loader = { load(url: URL): { readonly isCompiled: boolean } };
const KEEP_COMPILED = path('test/tools/packages/keep-compiled.mjs');

/** Writes the file that starts the command, and the code that V8 compiled beside it. */
const startFromCodeCache = (): Plugin => ({
  name: 'start-from-code-cache',
  generateBundle(_, bundle) {
    const command = bundle[COMMAND];
    if (command?.type === 'chunk')
      command.code = command.code
        .replace(/^#!.*\n/, '')
        // code from a cache cannot import by itself; the loader does it
        .replace(/\bimport\(/g, 'importModule(');
    const start = `#!/usr/bin/env node
import { load } from './${LOADER}';
load(new URL('${COMMAND}', import.meta.url)).run();
`;
    this.emitFile({ type: 'asset', fileName: 'main.js', source: start });
    const source = readFileSync(path(`relay/commands/${LOADER}`));
    this.emitFile({ type: 'asset', fileName: LOADER, source });
  },
  async writeBundle({ dir = '' }) {
    execFileSync(process.execPath, [KEEP_COMPILED, dir], { stdio: 'pipe' });
    const { load } = (await import(pathToFileURL(join(dir, LOADER)).href)) as Loader;
    if (!load(pathToFileURL(join(dir, COMMAND))).isCompiled)
      throw new Error('V8 does not take the code that it compiled');
  },
});

/**
 * Packages that stay outside the file: they load native libraries of the platform, or a shop
 * installs them beside the relay when it wants passkeys.
 */
const OUTSIDE = [
  '@photostructure/sqlite',
  'pg-native',
  '@simplewebauthn/server',
  '@simplewebauthn/server/helpers',
];

const command: UserConfig = {
  publicDir: false,
  ssr: { noExternal: true, external: OUTSIDE },
  resolve: { alias: [{ find: /^undici$/, replacement: path('relay/node/undici-parts.cjs') }] },
  plugins: [startFromCodeCache()],
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/relay/commands',
    emptyOutDir: false,
    // V8 keeps the source in memory. Without comments and in ASCII it takes 4 MB less. Names are
    // not shortened, so that the stack of an error shows the functions of the source.
    minify: 'terser',
    terserOptions: {
      compress: false,
      mangle: false,
      format: { ascii_only: true, comments: false },
    },
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { main: 'relay/commands/main.ts' },
      external: OUTSIDE,
      output: { format: 'cjs', entryFileNames: COMMAND, codeSplitting: false },
    },
  },
};

/** Builds a module of a package together with its library, without other changes. */
const library: UserConfig = { publicDir: false };

export default defineConfig(({ mode }) => {
  if (mode === 'command') return command;
  if (mode === 'console') return operatorConsole;
  if (mode === 'library') return library;
  return mode === 'renderer' ? renderer : element;
});
