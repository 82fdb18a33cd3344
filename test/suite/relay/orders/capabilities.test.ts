/** Each capability allows one thing: a page reads its order, or the service signals a change. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { createCapabilities } from '../../../../relay/orders/capabilities.js';
import { SECRETS, testConfig } from '../../support/world.js';

const configWith = (change: Partial<ConfigFile> = {}): ReturnType<typeof parseConfig> =>
  parseConfig({ ...testConfig, ...change }, (reference) =>
    'env' in reference ? SECRETS[reference.env] : undefined,
  );

describe('a capability', () => {
  it('accepts a capability only for the purpose it was minted for', async () => {
    const capabilities = createCapabilities(configWith(), memoryLedger());
    const order = await capabilities.mint('order', 'r1');
    const notify = await capabilities.mint('notify', 'r1');
    assert.notEqual(order, notify);
    assert.equal(await capabilities.verify('order', 'r1', order), true);
    assert.equal(await capabilities.verify('notify', 'r1', notify), true);
    assert.equal(await capabilities.verify('order', 'r1', notify), false);
    assert.equal(await capabilities.verify('notify', 'r1', order), false);
  });

  it('returns false for a mac with other spare bits, and for a text that is no mac', async () => {
    const capabilities = createCapabilities(configWith(), memoryLedger());
    const [kid = '', mac = ''] = (await capabilities.mint('order', 'r1')).split('.');
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const respelled = mac.slice(0, -1) + (ALPHABET[ALPHABET.indexOf(mac.at(-1) ?? '') + 1] ?? '');
    for (const other of [respelled, '', 'x', '*'.repeat(43)])
      assert.equal(await capabilities.verify('order', 'r1', `${kid}.${other}`), false);
  });

  it('keeps its own key in the ledger, and rejects when the ledger cannot be read', async () => {
    const ledger = memoryLedger();
    await createCapabilities(configWith(), ledger).ready();
    assert.match((await ledger.setting('capability_key')) ?? '', /^[A-Za-z0-9_-]{43}$/);
    const broken = createCapabilities(configWith(), {
      keepSetting: async () => {
        throw new Error('no ledger');
      },
    });
    await assert.rejects(broken.ready(), /no ledger/);
  });

  it('refuses a capability for another order', async () => {
    const capabilities = createCapabilities(configWith(), memoryLedger());
    const order = await capabilities.mint('order', 'r1');
    for (const other of ['r2', 'r', 'r11', ''])
      assert.equal(await capabilities.verify('order', other, order), false);
  });

  it('refuses a capability of another ledger, with another kid, and without a kid', async () => {
    const capabilities = createCapabilities(configWith(), memoryLedger());
    const otherLedger = createCapabilities(configWith(), memoryLedger());
    const [kid = '', mac = ''] = (await capabilities.mint('order', 'r1')).split('.');
    assert.equal(await otherLedger.verify('order', 'r1', `${kid}.${mac}`), false);
    assert.equal(await capabilities.verify('order', 'r1', `k1.${mac}`), false);
    assert.equal(await capabilities.verify('order', 'r1', mac), false);
  });

  it('lets a page try again for a while when another relay may have the key', async () => {
    let nowMs = 0;
    let present = true;
    const peers = { present: () => present, elapsed: () => nowMs };
    const capabilities = createCapabilities(configWith(), memoryLedger(), peers);
    const mac = (await capabilities.mint('order', 'r1')).split('.')[1] ?? '';
    const verify = (kid: string) => capabilities.verify('order', 'r1', `${kid}.${mac}`);
    const again = { code: 'service_unavailable' };
    await assert.rejects(verify('c2'), again);
    nowMs = 14 * 60_000;
    await assert.rejects(verify('c2'), again);
    nowMs = 15 * 60_000;
    assert.equal(await verify('c2'), false);
    await assert.rejects(verify('c3'), again);
    present = false;
    assert.equal(await verify('c3'), false);
    present = true;
    // invented kids take up all the room, and must not end the wait for a real one
    for (let kid = 0; kid < 200; kid++) await assert.rejects(verify(`x${kid}`), again);
    nowMs = 30 * 60_000;
    await assert.rejects(verify('x199'), again);
    nowMs = 45 * 60_000;
    assert.equal(await verify('x199'), false);
  });

  it('accepts a capability that was minted before keys were configured', async () => {
    const ledger = memoryLedger();
    const before = await createCapabilities(configWith(), ledger).mint('order', 'r1');
    const keys = { capability_keys: [{ kid: 'k1', secret: { env: 'TOKEN' } }] };
    const withKeys = createCapabilities(configWith(keys), ledger);
    assert.equal(await withKeys.verify('order', 'r1', before), true);
    assert.match(await withKeys.mint('order', 'r1'), /^k1\./);
  });
});
