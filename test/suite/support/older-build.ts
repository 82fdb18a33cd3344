/** An earlier build of the element's script, as a relay keeps it after an upgrade. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { elementScript } from '../../../relay/node/element-script.js';
import { withKeptBuilds } from '../../../relay/node/kept-builds.js';
import { immutableName, loadAssets } from '../../../relay/node/load-assets.js';
import { openLedger } from '../../../relay/node/open-ledger.js';

export type OlderBuild = {
  /** The immutable name of its script. */
  name: string;
  /** The integrity of its script. */
  hash: string;
};

/**
 * Makes an earlier build of today's script, with another hash, and keeps it in a ledger.
 *
 * @param ledger as in the configuration
 */
export async function keepOlderBuild(ledger: string): Promise<OlderBuild> {
  const today = await readFile(elementScript(), 'utf8');
  const script = Buffer.from(`${today}\n/* of the build before */\n`);
  const folder = await mkdtemp(join(tmpdir(), 'older-build-'));
  try {
    const file = join(folder, 'pay-checkout.js');
    await writeFile(file, script);
    const before = await openLedger(ledger);
    await withKeptBuilds(await loadAssets(pathToFileURL(file), () => {}), before, () => {});
    await before.close();
  } finally {
    await rm(folder, { recursive: true });
  }
  const hash = `sha384-${createHash('sha384').update(script).digest('base64')}`;
  return { name: immutableName(script), hash };
}
