/** Earlier builds of the element's script stay served after an upgrade. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { memoryLedger } from '../../../relay/ledger/memory-ledger.js';
import { withKeptBuilds } from '../../../relay/node/kept-builds.js';
import { immutableName } from '../../../relay/node/load-assets.js';
import type { Assets } from '../../../relay/routes/assets.js';

/** The files of a relay with this script. */
function built(script: string): { name: string; assets: Assets } {
  const body = new TextEncoder().encode(script);
  const name = immutableName(body);
  const br = new Uint8Array(brotliCompressSync(body));
  const asset = { type: 'text/javascript', body, br, immutable: false, etag: '"1"' };
  return {
    name,
    assets: new Map([
      ['pay-checkout.js', asset],
      [name, { ...asset, immutable: true }],
    ]),
  };
}

describe('withKeptBuilds', () => {
  it('serves the present build and the two before it, on every relay of the ledger', async () => {
    const ledger = memoryLedger();
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map(built);
    assert.ok(one && two && three && four);
    for (const { assets } of [one, two, three, three]) await withKeptBuilds(assets, ledger);
    const served = await withKeptBuilds(four.assets, ledger);
    assert.deepEqual(
      [...served.keys()].sort(),
      ['pay-checkout.js', four.name, three.name, two.name].sort(),
    );
    const kept = served.get(two.name);
    assert.equal(new TextDecoder().decode(kept?.body), 'two');
    assert.equal(kept?.immutable, true);
  });

  it('serves no build whose content is not what its name says', async () => {
    const ledger = memoryLedger();
    const [one, two] = ['one', 'two'].map(built);
    assert.ok(one && two);
    await withKeptBuilds(one.assets, ledger);
    const stored = (await ledger.setting('script_builds')) ?? '';
    await ledger.writeSetting('script_builds', stored.replace(one.name, 'pay-checkout.0.js'));
    const served = await withKeptBuilds(two.assets, ledger);
    assert.deepEqual([...served.keys()].sort(), ['pay-checkout.js', two.name].sort());
  });

  it('stores nothing when the element was not built', async () => {
    const ledger = memoryLedger();
    assert.equal((await withKeptBuilds(new Map(), ledger)).size, 0);
    assert.equal(await ledger.setting('script_builds'), null);
  });
});
