/** Builds the element: one classic script with everything in it, minified. */
import { defineConfig } from 'vite';

export default defineConfig({
  publicDir: false,
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    lib: { entry: 'widget/define.ts', formats: ['iife'], name: 'PayCheckoutElement', fileName: () => 'pay-checkout.js' },
    rolldownOptions: { output: { minify: true } },
  },
});
