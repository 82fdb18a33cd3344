/**
 * Loads the files that the relay serves: texts, themes, marks, the style sheet of the renderer, and
 * the element's script under a plain and an immutable name. The build compresses all files.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, gunzip, gzip } from 'node:zlib';
import { Failure } from '../contract/failure.js';
import type { LoadRender, Renderer } from '../contract/render.js';
import { remember } from '../remember.js';
import type { Log } from '../runtime.js';
import { findAsset, type Asset, type Assets } from '../routes/assets.js';

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
  svg: 'image/svg+xml; charset=utf-8',
};

/**
 * @param script the built element, with `locales/`, `themes/` and `marks/` beside it
 * @returns no file, after a warning, when the element was not built
 */
export function loadAssets(script: URL, log: Log): Assets {
  const element = load(script, SCRIPT);
  if (!element) {
    log('warn', 'assets', { message: 'dist/pay-checkout.js is missing: run npm run build' });
    return new Map();
  }
  const assets = new Map<string, Asset>([
    [SCRIPT, element],
    [immutableName(element.body), { ...element, immutable: true }],
  ]);
  for (const name of namesBeside(script)) {
    const asset = load(new URL(name, script), name);
    if (asset) assets.set(name, asset);
  }
  return assets;
}

/** The style sheet for the renderer's HTML (widget/server/). */
const isStylesheetName = (name: string): boolean =>
  /^pay-checkout-render\.[0-9a-f]{16}\.css$/.test(name);

/** The name under which a build of the script is served for ever. */
export const immutableName = (script: Uint8Array): string => `pay-checkout.${digest(script)}.js`;

export const isScriptName = (name: string): boolean =>
  /^pay-checkout\.[0-9a-f]{16}\.js$/.test(name);

const digest = (body: Uint8Array): string =>
  createHash('sha256').update(body).digest('hex').slice(0, 16);

/** @returns null when it fails, for example because there is no such file */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function namesBeside(script: URL): string[] {
  const namesIn = (folder: string): string[] =>
    attempt(() => readdirSync(new URL(folder, script))) ?? [];
  const folders = ['locales', 'themes', 'marks'];
  return [
    ...namesIn('./').filter(isStylesheetName),
    ...folders.flatMap((folder) => namesIn(`${folder}/`).map((file) => `${folder}/${file}`)),
  ];
}

/** Reads synchronously: for so many small files the thread pool would cost more than reading. */
function load(file: URL, name: string): Asset | null {
  const type = TYPES[name.split('.').at(-1) ?? ''];
  const source = type === undefined ? null : attempt(() => readFileSync(file));
  if (!source || type === undefined) return null;
  const body = new Uint8Array(source);
  return {
    type,
    body,
    br: remember(() => compressed(file, source, 'br')),
    gzip: remember(() => compressed(file, source, 'gz')),
    immutable: isStylesheetName(name),
    etag: `"${digest(body)}"`,
  };
}

/**
 * Reads the compressed file that the build wrote, or compresses the source when there is none, at
 * the first request for it: all of them at the start would take a tenth of its CPU time. A
 * compressed file of another source is not used: a page may name the hash of its script.
 */
async function compressed(
  file: URL,
  source: Buffer,
  end: keyof typeof ENCODINGS,
): Promise<Uint8Array<ArrayBuffer>> {
  const { compress, expand } = ENCODINGS[end];
  const built = attempt(() => readFileSync(new URL(`${file.href}.${end}`)));
  const expanded = built && (await expand(built).catch(() => null));
  return new Uint8Array(built && expanded?.equals(source) ? built : await compress(source));
}

/**
 * Loads the built renderer (widget/server/) at its first use: most relays never need it, and
 * loading takes a fraction of a second.
 *
 * @param script the built element, with the renderer beside it
 * @param assets the files that the relay serves: texts, and the renderer's style sheet
 */
export function rendererBeside(script: URL, assets: Assets): LoadRender {
  return remember(async () => {
    const file = new URL('pay-checkout-render.js', script);
    if (!existsSync(file))
      throw new Failure(
        'not_configured',
        'dist/pay-checkout-render.js is missing: run npm run build',
      );
    const { createRender, styles }: Renderer = await import(
      /* webpackIgnore: true */ /* @vite-ignore */ file.href
    );
    return createRender({
      stylesheet: `pay-checkout-render.${digest(new TextEncoder().encode(styles))}.css`,
      read: (name) => {
        const asset = findAsset(assets, name);
        return asset ? new TextDecoder().decode(asset.body) : null;
      },
    });
  });
}
