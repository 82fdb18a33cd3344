/**
 * Keeps the last builds of the element's script in the ledger. A page that was cached before an
 * upgrade names an older build with its hash, and every relay on the ledger still serves it.
 */
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { z } from 'zod';
import type { Ledger } from '../ledger/ledger.js';
import type { Asset, Assets } from '../routes/assets.js';
import { immutableName } from './load-assets.js';

const decompress = promisify(brotliDecompress);

/** The present build and those before it. */
const MAX_BUILDS = 3;
const SETTING = 'script_builds';

/** The newest first; `br` is the compressed script in base64. */
const builds = z.array(z.object({ name: z.string(), br: z.string() }));
type Build = z.infer<typeof builds>[number];

/** @returns the files, with the earlier builds under their immutable names */
export async function withKeptBuilds(
  assets: Assets,
  ledger: Pick<Ledger, 'setting' | 'writeSetting'>,
): Promise<Assets> {
  const present = [...assets].find(([, { immutable }]) => immutable);
  if (!present) return assets;
  const [name, { br }] = present;
  const stored = await ledger.setting(SETTING);
  const earlier = (stored === null ? [] : builds.parse(JSON.parse(stored)))
    .filter((build) => build.name !== name)
    .slice(0, MAX_BUILDS - 1);
  const newest: Build = { name, br: Buffer.from(br ?? []).toString('base64') };
  const kept = JSON.stringify([newest, ...earlier]);
  if (kept !== stored) await ledger.writeSetting(SETTING, kept);
  const served = await Promise.all(earlier.map(asAsset));
  return new Map([...assets, ...served.filter((entry) => entry !== null)]);
}

/** @returns null when the body is not what its name says */
async function asAsset({ br, name }: Build): Promise<readonly [string, Asset] | null> {
  const compressed = new Uint8Array(Buffer.from(br, 'base64'));
  const body = new Uint8Array(await decompress(compressed).catch(() => Buffer.alloc(0)));
  if (immutableName(body) !== name) return null;
  const type = 'text/javascript; charset=utf-8';
  return [name, { type, body, br: compressed, immutable: true, etag: `"${name}"` }];
}
