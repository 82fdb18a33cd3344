/** Runs the shop in workerd, and hands it the requests of a server on Node.js. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Bundles the worker as its platform does, because workerd reads no node_modules. */
async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [`${here}worker.mjs`],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    nodePaths: [`${here}node_modules`],
  });
  return { type: 'ESModule', path: 'worker.mjs', contents: outputFiles[0].text };
}

/** @returns a handler of the paths below `/shop` */
export async function createShop(setup) {
  const miniflare = new Miniflare({
    modules: [await bundle()],
    compatibilityDate: '2026-03-01',
    bindings: { SHOP_SETUP: setup },
    durableObjects: { SHOP: { className: 'Shop', useSQLite: true } },
  });
  await miniflare.ready;
  return async (request) => {
    const { headers, method, url } = request;
    const body = method === 'POST' ? await request.text() : undefined;
    const init = { method, headers: Object.fromEntries(headers), body };
    const answer = await miniflare.dispatchFetch(url, init);
    // the server frames the answer anew, so of its headers only the type is handed on
    return new Response(await answer.text(), {
      status: answer.status,
      headers: { 'content-type': answer.headers.get('content-type') ?? 'text/plain' },
    });
  };
}
