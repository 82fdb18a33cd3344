/** Earlier builds of the element's script stay served after an upgrade. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { LedgerBusyError } from '../../../relay/ledger/ledger.js';
import { memoryLedger } from '../../../relay/ledger/memory-ledger.js';
import { withKeptBuilds } from '../../../relay/node/kept-builds.js';
import { immutableName, laterName } from '../../../relay/node/load-assets.js';
import type { Asset, Assets } from '../../../relay/routes/assets.js';
import type { Log } from '../../../relay/runtime.js';

/** The files of a relay with this script; a file of an earlier build was left in its folder. */
function built(text: string): { name: string; later: string; assets: Assets } {
  const [secondBody, leftBody] = [`later ${text}`, 'left'].map((each) =>
    new TextEncoder().encode(each),
  ) as [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];
  const later = laterName(secondBody);
  const body = new TextEncoder().encode(`${text} ${later}`);
  const name = immutableName(body);
  const asset = (of: Uint8Array<ArrayBuffer>, immutable: boolean): Asset => ({
    type: 'text/javascript',
    body: of,
    br: new Uint8Array(brotliCompressSync(of)),
    immutable,
    etag: '"1"',
  });
  return {
    name,
    later,
    assets: new Map([
      ['pay-checkout.js', asset(body, false)],
      [name, asset(body, true)],
      [laterName(leftBody), asset(leftBody, true)],
      [later, asset(secondBody, true)],
    ]),
  };
}
const LEFT = laterName(new TextEncoder().encode('left'));

const noLog = (): void => {};

describe('withKeptBuilds', () => {
  it('serves the current build and the two before it when a ledger had four builds', async () => {
    const ledger = memoryLedger();
    const [one, two, three, four] = ['one', 'two', 'three', 'four'].map(built);
    assert.ok(one && two && three && four);
    for (const { assets } of [one, two, three, three]) await withKeptBuilds(assets, ledger, noLog);
    const served = await withKeptBuilds(four.assets, ledger, noLog);
    assert.deepEqual(
      [...served.keys()].sort(),
      [
        'pay-checkout.js',
        LEFT,
        ...[four, three, two].flatMap(({ later, name }) => [name, later]),
      ].sort(),
    );
    const kept = served.get(two.name);
    assert.equal(new TextDecoder().decode(kept?.body), `two ${two.later}`);
    assert.equal(kept?.immutable, true);
  });

  it('serves no kept build when its content does not have the hash in its name', async () => {
    const ledger = memoryLedger();
    const [one, two] = ['one', 'two'].map(built);
    assert.ok(one && two);
    await withKeptBuilds(one.assets, ledger, noLog);
    const stored = (await ledger.setting('script_builds')) ?? '';
    await ledger.writeSetting('script_builds', stored.replace(one.name, 'pay-checkout.0.js'));
    const served = await withKeptBuilds(two.assets, ledger, noLog);
    assert.deepEqual(
      [...served.keys()].sort(),
      ['pay-checkout.js', LEFT, one.later, two.name, two.later].sort(),
    );
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
