/** Builds the element: one classic script with everything in it, minified. */
import { defineConfig, type Plugin } from 'vite';

/** Minified code has line breaks in templates and style sheets alone, where any white space is as good as one space. */
const foldTemplates = (): Plugin => ({
  name: 'fold-templates',
  generateBundle: (_, bundle) => {
    for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/\n\s*/g, ' ');
  },
});

export default defineConfig({
  publicDir: false,
  plugins: [foldTemplates()],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    lib: { entry: 'widget/define.ts', formats: ['iife'], name: 'PayCheckoutElement', fileName: () => 'pay-checkout.js' },
    rolldownOptions: { output: { minify: true } },
  },
});
