/**
 * Builds the element: one classic script with everything in it, minified. `--mode command` builds
 * the command `pay-checkout` instead: one file, because loading some 900 files of its dependencies
 * would take two thirds of its start.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { minifyHTMLLiterals } from 'minify-literals';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

/** Removes white space in templates and style sheets; a minifier of scripts leaves it there. */
const minifyTemplates = (): Plugin => ({
  name: 'minify-templates',
  transform: {
    filter: { id: /\/widget\/.*\.ts$/ },
    handler: async (code, fileName) => await minifyHTMLLiterals(code, { fileName }),
  },
});

/** Adds what the relay serves beside the script: compact texts, and themes without change. */
const emitAssets = (): Plugin => ({
  name: 'emit-assets',
  generateBundle() {
    for (const [folder, name] of [
      ['widget/texts/locales', 'locales'],
      ['widget/themes', 'themes'],
    ] as const)
      for (const file of readdirSync(folder)) {
        const text = readFileSync(`${folder}/${file}`, 'utf8');
        const source = file.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text;
        if (/\.(json|css)$/.test(file))
          this.emitFile({ type: 'asset', fileName: `${name}/${file}`, source });
      }
  },
});

/** Compresses each file beside it: at its start the relay would need most of a second for it. */
const compressAssets = (): Plugin => ({
  name: 'compress-assets',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      const body = readFileSync(join(dir, name));
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(body));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(body, { level: 9 }));
    }
  },
});

const bytesOnly = (file: string): string =>
  fileURLToPath(new URL(`widget/fragments/qr-bytes/${file}.cjs`, import.meta.url));

const element: UserConfig = {
  publicDir: false,
  // The element encodes bytes only; the library's other modes would add 1.5 kB.
  resolve: {
    alias: [
      { find: /^\.\/segments$/, replacement: bytesOnly('segments') },
      { find: /^\.\/mode$/, replacement: bytesOnly('mode') },
    ],
  },
  plugins: [minifyTemplates(), emitAssets(), compressAssets()],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    lib: {
      entry: 'widget/define.ts',
      formats: ['iife'],
      name: 'PayCheckoutElement',
      fileName: () => 'pay-checkout.js',
    },
    minify: 'terser',
    terserOptions: { ecma: 2020, compress: { passes: 3, keep_fargs: false, sequences: false } },
  },
};

/** Left beside the file: it loads a library of its platform. */
const NATIVE = ['@photostructure/sqlite', 'pg-native'];

const command: UserConfig = {
  publicDir: false,
  ssr: { noExternal: true, external: NATIVE },
  build: {
    ssr: true,
    target: 'node20',
    outDir: 'dist/relay/commands',
    emptyOutDir: false,
    // an error names the functions of the source
    minify: false,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { main: 'relay/commands/main.ts' },
      external: NATIVE,
      output: { entryFileNames: '[name].js', codeSplitting: false },
    },
  },
};

export default defineConfig(({ mode }) => (mode === 'command' ? command : element));
