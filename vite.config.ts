/** Builds the element: one classic script with everything in it, minified. */
import { readdirSync, readFileSync } from 'node:fs';
import { minify } from 'terser';
import { defineConfig, type Plugin } from 'vite';

/**
 * Minified code has line breaks in templates and style sheets alone: between two tags they are
 * nothing, elsewhere as good as one space. What is
 * then left, a second minifier makes smaller still, by 500 bytes.
 */
const shrink = (): Plugin => ({
  name: 'shrink',
  generateBundle: async (_, bundle) => {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk') {
        const folded = chunk.code.replace(/>\n\s*</g, '><').replace(/\n\s*/g, ' ');
        const { code } = await minify(folded, {
          ecma: 2020,
          compress: { passes: 3, keep_fargs: false, sequences: false },
        });
        chunk.code = code ?? folded;
      }
  },
});

/** The styles' own white space; what stands between words and around operators stays. */
const foldStyles = (): Plugin => ({
  name: 'fold-styles',
  transform: (code, id) =>
    /widget\/styles\/[a-z-]+\.ts$/.test(id)
      ? code.replace(/css`[^`]*`/g, (sheet) =>
          sheet
            .replace(/\s*([{};,])\s*/g, '$1')
            .replace(/:\s+/g, ':')
            .replace(/;}/g, '}'),
        )
      : null,
});

/**
 * We give the QR library bytes alone: its search for the shortest mix of modes, the other modes and
 * the words of its errors stay at home.
 */
const bytesAlone = (): Plugin => ({
  name: 'bytes-alone',
  load: (id) => {
    const [, file] = /qrcode\/lib\/core\/([a-z-]+)\.js$/.exec(id) ?? [];
    if (file === undefined) return null;
    if (file === 'segments')
      return "const ByteData = require('./byte-data'); exports.fromArray = (segments) => segments.map(({ data }) => new ByteData(data));";
    if (file === 'mode')
      return 'exports.BYTE = { bit: 4, ccBits: [8, 16, 16] }; exports.getCharCountIndicator = ({ ccBits }, version) => ccBits[version < 10 ? 0 : version < 27 ? 1 : 2];';
    return readFileSync(id, 'utf8').replace(/new Error\((?:[^()]|\([^()]*\))*\)/g, 'new Error()');
  },
});

/**
 * What the relay serves beside the script: texts without their line breaks, and themes as they
 * stand.
 */
const besides = (): Plugin => ({
  name: 'besides',
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

export default defineConfig({
  publicDir: false,
  plugins: [bytesAlone(), foldStyles(), shrink(), besides()],
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
    rolldownOptions: { output: { minify: true } },
  },
});
