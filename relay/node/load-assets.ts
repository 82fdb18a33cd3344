/**
 * Loads the files that the relay serves: texts, themes, and the style sheet of the renderer. The
 * element's script is served under a plain and an immutable name. The build compresses all files.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, gunzip, gzip } from 'node:zlib';
import type { Log } from '../runtime.js';
import type { Asset, Assets } from '../routes/assets.js';

/** How to compress and decompress a file, by the ending of the compressed file's name. */
const ENCODINGS = {
  br: { compress: promisify(brotliCompress), expand: promisify(brotliDecompress) },
  gz: { compress: promisify(gzip), expand: promisify(gunzip) },
};

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
  // all files at once, on all cores: the relay does not listen before they are read
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

/** The style sheet for the renderer's HTML (widget/server/). */
const isStylesheetName = (name: string): boolean =>
  /^pay-checkout-render\.[0-9a-f]{16}\.css$/.test(name);

export const stylesheetName = (styles: Uint8Array): string =>
  `pay-checkout-render.${digest(styles)}.css`;

/** The name under which a build of the script is served for ever. */
export const immutableName = (script: Uint8Array): string => `pay-checkout.${digest(script)}.js`;

export const isScriptName = (name: string): boolean =>
  /^pay-checkout\.[0-9a-f]{16}\.js$/.test(name);

const digest = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('hex').slice(0, 16);

async function namesBeside(script: URL): Promise<string[]> {
  const beside = await readdir(new URL('./', script)).catch(() => []);
  const names = ['locales', 'themes'].map(async (folder) => {
    const files = await readdir(new URL(`${folder}/`, script)).catch(() => []);
    return files.map((file) => `${folder}/${file}`);
  });
  return [...beside.filter(isStylesheetName), ...(await Promise.all(names)).flat()];
}

async function load(file: URL, name: string): Promise<Asset | null> {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  const source = type === undefined ? null : await readFile(file).catch(() => null);
  if (!source || type === undefined) return null;
  const body = new Uint8Array(source);
  const [br, gzipped] = await Promise.all([
    compressed(file, source, 'br'),
    compressed(file, source, 'gz'),
  ]);
  return {
    type,
    body,
    br,
    gzip: gzipped,
    immutable: isStylesheetName(name),
    etag: `"${digest(body)}"`,
  };
}

/**
 * Reads the compressed file that the build wrote, or compresses the source when there is none. A
 * compressed file of another source is not used: a page may name the hash of its script.
 */
async function compressed(
  file: URL,
  source: Buffer,
  end: keyof typeof ENCODINGS,
): Promise<Uint8Array<ArrayBuffer>> {
  const { compress, expand } = ENCODINGS[end];
  const built = await readFile(new URL(`${file.href}.${end}`)).catch(() => null);
  const expanded = built && (await expand(built).catch(() => null));
  return new Uint8Array(built && expanded?.equals(source) ? built : await compress(source));
}
