/** Earlier builds of the element's script stay served after an upgrade. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { LedgerBusyError } from '../../../../relay/ledger/ledger-errors.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { withKeptBuilds } from '../../../../relay/node/kept-builds.js';
import { immutableName } from '../../../../relay/node/load-assets.js';
import type { Asset, Assets } from '../../../../relay/routes/assets.js';
import type { Log } from '../../../../relay/runtime.js';

/** The files of a relay with this script. */
function built(text: string): { name: string; assets: Assets } {
  const body = new TextEncoder().encode(text);
  const name = immutableName(body);
  const asset = (of: Uint8Array<ArrayBuffer>, immutable: boolean): Asset => ({
    type: 'text/javascript',
    body: of,
    br: () => Promise.resolve(new Uint8Array(brotliCompressSync(of))),
    immutable,
    etag: '"1"',
  });
  return {
    name,
    assets: new Map([
      ['pay-checkout.js', asset(body, false)],
      [name, asset(body, true)],
    ]),
  };
}

const noLog = (): void => {};

describe('withKeptBuilds', () => {
  it('serves the current build and the two before it when a ledger had four builds', async () => {
    const ledger = memoryLedger();
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((text) => built(text));
    assert.ok(one && two && three && four);
    for (const { assets } of [one, two, three, three]) await withKeptBuilds(assets, ledger, noLog);
    const served = await withKeptBuilds(four.assets, ledger, noLog);
    assert.deepEqual(
      [...served.keys()].sort(),
      ['pay-checkout.js', four.name, three.name, two.name].sort(),
    );
    const kept = served.get(two.name);
    assert.equal(new TextDecoder().decode(kept?.body), 'two');
    assert.equal(kept?.immutable, true);
  });

  it('serves no kept build when its content does not have the hash in its name', async () => {
    const ledger = memoryLedger();
    const [one, two] = ['one', 'two'].map((text) => built(text));
    assert.ok(one && two);
    await withKeptBuilds(one.assets, ledger, noLog);
    const stored = (await ledger.setting('script_builds')) ?? '';
    await ledger.writeSetting('script_builds', stored.replace(one.name, 'pay-checkout.0.js'));
    const served = await withKeptBuilds(two.assets, ledger, noLog);
    assert.deepEqual([...served.keys()].sort(), ['pay-checkout.js', two.name].sort());
  });

  it('stores no build when the element was not built', async () => {
    const ledger = memoryLedger();
    assert.equal((await withKeptBuilds(new Map(), ledger, noLog)).size, 0);
    assert.equal(await ledger.setting('script_builds'), null);
  });

  for (const [what, change] of [
    ['the stored builds are damaged', { setting: async () => 'not json' }],
    [
      'the ledger cannot be written',
      {
        writeSetting: async () => {
          throw new LedgerBusyError('the disk is full');
        },
      },
    ],
  ] as const)
    it(`serves the current build, and logs a warning, when ${what}`, async () => {
      const { assets } = built('one');
      const lines: unknown[] = [];
      const log: Log = (level, event) => lines.push([level, event]);
      assert.equal(await withKeptBuilds(assets, { ...memoryLedger(), ...change }, log), assets);
      assert.deepEqual(lines, [['warn', 'script_builds']]);
    });
});
