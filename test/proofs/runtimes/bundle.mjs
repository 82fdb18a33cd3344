/** Bundles a worker as its platform does, because workerd reads no node_modules. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * @param entry the worker's file in this folder
 * @returns the module, as Miniflare takes it
 */
export async function bundleWorker(entry, plugins = []) {
  const { outputFiles } = await build({
    entryPoints: [here + entry],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    nodePaths: [`${here}node_modules`],
    plugins,
  });
  return { type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text };
}
