/**
 * Keeps the latest builds of the element's script in the ledger. A page that was cached before an
 * upgrade names an older build by its hash, and every relay on the ledger still serves that build.
 */
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { z } from 'zod';
import type { Ledger } from '../ledger/ledger.js';
import type { Asset, Assets } from '../routes/assets.js';
import type { Log } from '../runtime.js';
import { immutableName, isScriptName } from './load-assets.js';

const decompress = promisify(brotliDecompress);

/** The current build and the builds before it. */
const MAX_BUILDS = 3;
const SETTING = 'script_builds';

/** `br` is the body, compressed with Brotli, in base64. */
const file = z.object({ name: z.string(), br: z.string() });
/** The scripts, the newest first. */
const builds = z.array(file);
type File = z.infer<typeof file>;

/** @returns the files, and those of the earlier builds under their immutable names */
export async function withKeptBuilds(
  assets: Assets,
  ledger: Pick<Ledger, 'setting' | 'writeSetting'>,
  log: Log,
): Promise<Assets> {
  try {
    return await keepBuilds(assets, ledger);
  } catch (error) {
    // a full disk or a damaged setting must not stop the shop
    const message = `the builds of the script before this one are not served: ${String(error)}`;
    log('warn', 'script_builds', { message });
    return assets;
  }
}

async function keepBuilds(
  assets: Assets,
  ledger: Pick<Ledger, 'setting' | 'writeSetting'>,
): Promise<Assets> {
  const current = await scriptOf(assets);
  if (!current) return assets;
  const stored = await ledger.setting(SETTING);
  const earlier = (stored === null ? [] : builds.parse(JSON.parse(stored)))
    .filter(({ name }) => !assets.has(name))
    .slice(0, MAX_BUILDS - 1);
  const kept = JSON.stringify([current, ...earlier]);
  if (kept !== stored) await ledger.writeSetting(SETTING, kept);
  const served = await Promise.all(earlier.map(asAsset));
  return new Map([...assets, ...served.filter((entry) => entry !== null)]);
}

async function scriptOf(assets: Assets): Promise<File | null> {
  const [name, script] = [...assets].find(([each]) => isScriptName(each)) ?? [];
  const br = await script?.br?.();
  return name && br ? { name, br: Buffer.from(br).toString('base64') } : null;
}

/** @returns null when the body does not have the hash that its name contains */
async function asAsset({ br: stored, name }: File): Promise<readonly [string, Asset] | null> {
  const compressed = new Uint8Array(Buffer.from(stored, 'base64'));
  const body = new Uint8Array(await decompress(compressed).catch(() => Buffer.alloc(0)));
  if (immutableName(body) !== name) return null;
  const type = 'text/javascript; charset=utf-8';
  const br = (): Promise<typeof body> => Promise.resolve(compressed);
  return [name, { type, body, br, immutable: true, etag: `"${name}"` }];
}
