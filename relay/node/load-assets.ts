/** The built element under its plain and its immutable name, compressed ahead of time. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Log } from '../orders/context.js';
import type { Asset, Assets } from '../routes/assets.js';

/** Empty, with a warning, when the element was not built. */
export async function loadAssets(script: URL, log: Log): Promise<Assets> {
  const source = await readFile(script).catch(() => null);
  if (!source) {
    log('warn', 'assets', { message: 'dist/pay-checkout.js is missing: run npm run build' });
    return new Map();
  }
  const body = new Uint8Array(source);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const asset: Asset = {
    type: 'text/javascript; charset=utf-8',
    body,
    br: new Uint8Array(brotliCompressSync(body)),
    gzip: new Uint8Array(gzipSync(body)),
    immutable: false,
    etag: `"${hash}"`,
  };
  return new Map([
    ['pay-checkout.js', asset],
    [`pay-checkout.${hash}.js`, { ...asset, immutable: true }],
  ]);
}
