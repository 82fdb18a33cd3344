/** Each capability opens one thing: a page reads its order, the service signals a change. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../relay/config/schema.js';
import { memoryLedger } from '../../../relay/ledger/memory-ledger.js';
import { createCapabilities } from '../../../relay/orders/capabilities.js';
import { SECRETS, testConfig } from '../../support/world.js';

const configured = (change: Partial<ConfigFile> = {}): ReturnType<typeof parseConfig> =>
  parseConfig({ ...testConfig, ...change }, (reference) =>
    'env' in reference ? SECRETS[reference.env] : undefined,
  );

describe('a capability', () => {
  it('of the service does not read an order, and one of the page signals nothing', async () => {
    const capabilities = createCapabilities(configured(), memoryLedger());
    const order = await capabilities.mint('order', 'r1');
    const notify = await capabilities.mint('notify', 'r1');
    assert.notEqual(order, notify);
    assert.equal(await capabilities.verify('order', 'r1', order), true);
    assert.equal(await capabilities.verify('notify', 'r1', notify), true);
    assert.equal(await capabilities.verify('order', 'r1', notify), false);
    assert.equal(await capabilities.verify('notify', 'r1', order), false);
  });

  it('of one order opens no other', async () => {
    const capabilities = createCapabilities(configured(), memoryLedger());
    const order = await capabilities.mint('order', 'r1');
    for (const other of ['r2', 'r', 'r11', ''])
      assert.equal(await capabilities.verify('order', other, order), false);
  });

  it('of another ledger or under another name of the key is refused', async () => {
    const capabilities = createCapabilities(configured(), memoryLedger());
    const stranger = createCapabilities(configured(), memoryLedger());
    const [kid = '', mac = ''] = (await capabilities.mint('order', 'r1')).split('.');
    assert.equal(await stranger.verify('order', 'r1', `${kid}.${mac}`), false);
    assert.equal(await capabilities.verify('order', 'r1', `k1.${mac}`), false);
    assert.equal(await capabilities.verify('order', 'r1', mac), false);
  });

  it('minted before keys were configured still opens its order', async () => {
    const ledger = memoryLedger();
    const before = await createCapabilities(configured(), ledger).mint('order', 'r1');
    const keys = { capability_keys: [{ kid: 'k1', secret: { env: 'TOKEN' } }] };
    const rotated = createCapabilities(configured(keys), ledger);
    assert.equal(await rotated.verify('order', 'r1', before), true);
    assert.match(await rotated.mint('order', 'r1'), /^k1\./);
  });
});
