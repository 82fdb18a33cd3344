/** Builds the element: one classic script with everything in it, minified. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { minifyHTMLLiterals } from 'minify-literals';
import { defineConfig, type Plugin } from 'vite';

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

const bytesOnly = (file: string): string =>
  fileURLToPath(new URL(`widget/fragments/qr-bytes/${file}.cjs`, import.meta.url));

export default defineConfig({
  publicDir: false,
  // The element encodes bytes only; the library's other modes would add 1.5 kB.
  resolve: {
    alias: [
      { find: /^\.\/segments$/, replacement: bytesOnly('segments') },
      { find: /^\.\/mode$/, replacement: bytesOnly('mode') },
    ],
  },
  plugins: [minifyTemplates(), emitAssets()],
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
    terserOptions: {
      ecma: 2020,
      // unsafe with `new` on a function without `this`, and pure getters with one that has effects:
      // there is neither
      compress: {
        passes: 3,
        inline: 1,
        keep_fargs: false,
        sequences: false,
        pure_getters: true,
        unsafe_arrows: true,
        unsafe_methods: true,
      },
    },
  },
});
