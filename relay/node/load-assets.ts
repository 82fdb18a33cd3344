/**
 * Loads the files that the relay serves, and compresses them once: texts, themes, the element's
 * second script, and the element under its plain and its immutable name.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Log } from '../runtime.js';
import type { Asset, Assets } from '../routes/assets.js';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const SCRIPT = 'pay-checkout.js';
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * @param script the built element, with `locales/` and `themes/` beside it
 * @returns no file, after a warning, when the element was not built
 */
export async function loadAssets(script: URL, log: Log): Promise<Assets> {
  // all files at once, on all cores: the relay does not listen before they are compressed
  const [element, ...others] = await Promise.all([
    load(script, SCRIPT),
    ...(await namesBeside(script)).map(
      async (name) => [name, await load(new URL(name, script), name)] as const,
    ),
  ]);
  if (!element) {
    log('warn', 'assets', { message: 'dist/pay-checkout.js is missing: run npm run build' });
    return new Map();
  }
  const assets = new Map<string, Asset>([
    [SCRIPT, element],
    [immutableName(element.body), { ...element, immutable: true }],
  ]);
  for (const [name, asset] of others) if (asset) assets.set(name, asset);
  return assets;
}

/** The element’s second script; its name contains its hash, and pages may want an earlier one. */
const LATER_SCRIPT = /^pay-checkout-later\.[0-9a-f]{16}\.js$/;

/** The name under which a build of the script is served for ever. */
export const immutableName = (script: Uint8Array): string => `pay-checkout.${digest(script)}.js`;

const digest = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('hex').slice(0, 16);

async function namesBeside(script: URL): Promise<string[]> {
  const beside = await readdir(new URL('./', script)).catch(() => []);
  const names = ['locales', 'themes'].map(async (folder) => {
    const files = await readdir(new URL(`${folder}/`, script)).catch(() => []);
    return files.map((file) => `${folder}/${file}`);
  });
  return [
    ...beside.filter((file) => LATER_SCRIPT.test(file)),
    ...(await Promise.all(names)).flat(),
  ];
}

async function load(file: URL, name: string): Promise<Asset | null> {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  const source = type === undefined ? null : await readFile(file).catch(() => null);
  if (!source || type === undefined) return null;
  const body = new Uint8Array(source);
  const [br, gzipped] = await Promise.all([compressBrotli(body), compressGzip(body)]);
  return {
    type,
    body,
    br: new Uint8Array(br),
    gzip: new Uint8Array(gzipped),
    immutable: LATER_SCRIPT.test(name),
    etag: `"${digest(body)}"`,
  };
}
