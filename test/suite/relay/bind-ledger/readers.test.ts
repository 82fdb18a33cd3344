/** A person's decision is refused where the shop would not learn of it, and relays must agree. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bindLedger, reportOtherRules, requireReaders } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { Config } from '../../../../relay/config/schema.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import type { Log } from '../../../../relay/runtime.js';
import { readSecret, testConfig } from '../../support/world.js';

const shop_events = { url: 'https://shop.example/hooks', secret: { env: 'SECRET' } };
const parsed = (change: object): Config => parseConfig({ ...testConfig, ...change }, readSecret);

describe('requireReaders', () => {
  it('refuses a copy that lacks what the relays tell the shop by', async () => {
    const ledger = memoryLedger();
    await bindLedger(parsed({ shop_events }), ledger);
    const copy = parsed({ secret_key: undefined });
    await bindLedger(copy, ledger, { readsOnly: true });
    await assert.rejects(
      requireReaders(copy, ledger),
      /^Error: shop_events and secret_key: missing/,
    );
    await assert.rejects(requireReaders(parsed({}), ledger), /^Error: shop_events: missing here/);
    await requireReaders(parsed({ shop_events }), ledger);
  });

  it('accepts the configuration of the last start, and a ledger without a start', async () => {
    const ledger = memoryLedger();
    await requireReaders(parsed({}), ledger);
    await bindLedger(parsed({ shop_events }), ledger);
    await bindLedger(parsed({}), ledger);
    await requireReaders(parsed({}), ledger);
  });
});

it('writes nothing to a ledger that a command only reads', async () => {
  const written = (): never => assert.fail('written');
  const ledger = { ...memoryLedger(), keepSetting: written, writeSetting: written };
  await bindLedger(parsed({}), ledger, { readsOnly: true });
});

describe('two relays of one ledger', () => {
  it('tells once the relay that was not reloaded, until both have the same again', async () => {
    const ledger = memoryLedger();
    const lines: unknown[] = [];
    const [older, newer] = [
      parsed({}),
      parsed({ statuses: { ...testConfig.statuses, 55: 'failed' } }),
    ];
    const log: Log = (level, _event, fields = {}) => void lines.push([level, fields.message]);
    const report = reportOtherRules(older, ledger, log);
    await bindLedger(older, ledger);
    await report();
    assert.deepEqual(lines, []);
    await bindLedger(newer, ledger);
    for (let times = 0; times < 2; times++) await report();
    assert.equal(lines.length, 1);
    assert.match(
      String(lines[0]),
      /^warn,the relay of this ledger .* reload those that have the older one$/,
    );
    await bindLedger(older, ledger);
    await report();
    for (const changed of [
      { shop_events },
      { options: testConfig.options?.slice(1) },
      { catalogue: {} },
      { open_amount: { USD: { min: '1', max: '501' } } },
      { deposits: [] },
    ]) {
      lines.length = 0;
      await bindLedger(parsed(changed), ledger);
      await report();
      assert.equal(lines.length, 1, JSON.stringify(changed));
    }
  });
});
