/**
 * GET of a built file: the element's scripts, texts, themes and style sheet (node/load-assets.ts).
 * A file whose name contains its hash is cached for ever. Any site may load the files, also with
 * subresource integrity.
 */
import type { Context as HonoContext } from 'hono';
import { localeOf } from '../contract/locales.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** A file to serve; `br` and `gzip` give its compressed body. */
export type Asset = {
  type: string;
  body: Bytes;
  br?: () => Promise<Bytes>;
  gzip?: () => Promise<Bytes>;
  immutable: boolean;
  etag: string;
};
/** Files by name. */
export type Assets = ReadonlyMap<string, Asset>;

/** @returns the element's texts in the language of a tag or a relative of it, else in English */
export const textsAsset = (assets: Assets, tag: string): Asset | undefined =>
  assets.get(`locales/${localeOf(tag)}.json`);

/** @param name in `locales/` any language tag, up to the length in contract/paths.ts */
export function findAsset(assets: Assets, name: string): Asset | undefined {
  const [, tag] = /^locales\/([\w-]{0,35})\.json$/.exec(name) ?? [];
  return tag === undefined ? assets.get(name) : textsAsset(assets, tag);
}

/** @returns null when the path names no file */
export async function serveAsset(assets: Assets, c: HonoContext): Promise<Response | null> {
  const asset = findAsset(assets, c.req.path.slice(1));
  return asset ? sendAsset(asset, c) : null;
}

export async function sendAsset(asset: Asset, c: HonoContext): Promise<Response> {
  const headers = {
    'content-type': asset.type,
    'cache-control': asset.immutable
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=300',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    etag: asset.etag,
  };
  const known = (c.req.header('if-none-match') ?? '').split(',').map((tag) => tag.trim());
  // a proxy that compresses an answer makes its tag a weak one
  if (known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === asset.etag))
    return new Response(null, { status: 304, headers });
  const accepted = c.req.header('accept-encoding') ?? '';
  for (const encoding of ['br', 'gzip'] as const) {
    const read = asset[encoding];
    if (read && new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted))
      return new Response(await read(), { headers: { ...headers, 'content-encoding': encoding } });
  }
  return new Response(asset.body, { headers });
}
