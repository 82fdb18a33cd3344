/** An earlier build of the element's scripts, as a relay keeps it after an upgrade. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { elementScript } from '../../../relay/node/element-script.js';
import { withKeptBuilds } from '../../../relay/node/kept-builds.js';
import { immutableName, laterName, loadAssets } from '../../../relay/node/load-assets.js';
import { openLedger } from '../../../relay/node/open-ledger.js';

export type OlderBuild = {
  /** The immutable names of its two scripts. */
  names: readonly [script: string, later: string];
  /** The integrity of its first script. */
  hash: string;
};

const LATER = /pay-checkout-later\.[0-9a-f]{16}\.js/;
const LATER_INTEGRITY = /sha256-[\w+/]+=*/;
const REMARK = '\n/* of the build before */\n';

const integrityOf = (algorithm: 'sha256' | 'sha384', bytes: Buffer): string =>
  `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;

/**
 * Makes an earlier build of today's scripts, each with another hash, and keeps it in a ledger.
 *
 * @param ledger as in the configuration
 */
export async function keepOlderBuild(ledger: string): Promise<OlderBuild> {
  const today = await readFile(elementScript(), 'utf8');
  const [laterToday] = LATER.exec(today) ?? [];
  assert.ok(laterToday, 'the script names its second one');
  const secondScript = await readFile(new URL(laterToday, elementScript()), 'utf8');
  const later = Buffer.from(secondScript + REMARK);
  const text = today
    .replace(LATER, laterName(later))
    .replace(LATER_INTEGRITY, integrityOf('sha256', later));
  const script = Buffer.from(text + REMARK);
  const folder = await mkdtemp(join(tmpdir(), 'older-build-'));
  try {
    const file = join(folder, 'pay-checkout.js');
    await writeFile(file, script);
    await writeFile(join(folder, laterName(later)), later);
    const before = await openLedger(ledger);
    await withKeptBuilds(await loadAssets(pathToFileURL(file), () => {}), before, () => {});
    await before.close();
  } finally {
    await rm(folder, { recursive: true });
  }
  const names = [immutableName(script), laterName(later)] as const;
  return { names, hash: integrityOf('sha384', script) };
}
