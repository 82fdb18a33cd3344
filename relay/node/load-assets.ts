/**
 * Loads the files that the relay serves, and compresses them once: the built element under its
 * plain and its immutable name, texts and themes.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Log } from '../runtime.js';
import type { Asset, Assets } from '../routes/assets.js';

const SCRIPT = 'pay-checkout.js';
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * @param script the built element, with `locales/` and `themes/` beside it. Empty, with a warning,
 * when it was not built.
 */
export async function loadAssets(script: URL, log: Log): Promise<Assets> {
  const element = await load(script, SCRIPT);
  if (!element) {
    log('warn', 'assets', { message: 'dist/pay-checkout.js is missing: run npm run build' });
    return new Map();
  }
  const assets = new Map<string, Asset>([
    [SCRIPT, element],
    [`pay-checkout.${element.etag.replaceAll('"', '')}.js`, { ...element, immutable: true }],
  ]);
  for (const folder of ['locales', 'themes'])
    for (const file of await readdir(new URL(`${folder}/`, script)).catch(() => [])) {
      const name = `${folder}/${file}`;
      const asset = await load(new URL(name, script), name);
      if (asset) assets.set(name, asset);
    }
  return assets;
}

async function load(file: URL, name: string): Promise<Asset | null> {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  const source = type === undefined ? null : await readFile(file).catch(() => null);
  if (!source || type === undefined) return null;
  const body = new Uint8Array(source);
  return {
    type,
    body,
    br: new Uint8Array(brotliCompressSync(body)),
    gzip: new Uint8Array(gzipSync(body)),
    immutable: false,
    etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`,
  };
}
