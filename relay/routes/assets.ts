/**
 * GET of a built file: the element's scripts, texts, themes and style sheet (node/load-assets.ts).
 * A file whose name contains its hash is cached for ever. Any site may load the files, also with
 * subresource integrity.
 */
import type { Context as HonoContext } from 'hono';

/**
 * A file to serve; `br` and `gzip` are its body, compressed by the build or when the relay starts.
 */
export type Asset = {
  type: string;
  body: Uint8Array<ArrayBuffer>;
  br?: Uint8Array<ArrayBuffer>;
  gzip?: Uint8Array<ArrayBuffer>;
  immutable: boolean;
  etag: string;
};
/** Files by name. */
export type Assets = ReadonlyMap<string, Asset>;

/** @returns null when the path names no file */
export function serveAsset(assets: Assets, c: HonoContext): Response | null {
  const asset = assets.get(c.req.path.slice(1));
  return asset ? sendAsset(asset, c) : null;
}

export function sendAsset(asset: Asset, c: HonoContext): Response {
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
  if (c.req.header('if-none-match') === asset.etag)
    return new Response(null, { status: 304, headers });
  const accepted = c.req.header('accept-encoding') ?? '';
  for (const encoding of ['br', 'gzip'] as const) {
    const body = asset[encoding];
    if (body && new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted))
      return new Response(body, { headers: { ...headers, 'content-encoding': encoding } });
  }
  return new Response(asset.body, { headers });
}
