/** The identifiers that a relay derives stay the same from one release to the next. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { createIdentity, type Settings } from '../../../../relay/intent/identity.js';
import { readSecret, SECRETS, testConfig } from '../../support/world.js';

SECRETS.RELEASED_KEY = 'request-id-key-of-a-released-relay';
const config = parseConfig({ ...testConfig, request_id_key: { env: 'RELEASED_KEY' } }, readSecret);

/** A store of settings; as in a ledger, the first value of a name stays. */
function settingsIn(kept: Map<string, string>): Settings {
  return {
    keepSetting: async (name, value) => {
      if (!kept.has(name)) kept.set(name, value);
      return kept.get(name) ?? '';
    },
    setting: async (name) => kept.get(name) ?? null,
  };
}

describe('createIdentity', () => {
  it('derives these identifiers, so that a restored relay finds lost orders', async () => {
    const identity = createIdentity(config, settingsIn(new Map()));
    assert.deepEqual(
      [
        await identity.intentIdOf('b5b0c2d4-0000-4000-8000-000000000001'),
        await identity.linkIntentId('link-1', 'b5b0c2d4-0000-4000-8000-000000000001'),
        await identity.requestId('open', 'web.one', 1),
        await identity.requestId('open', 'web.one', 2),
      ],
      [
        'web.sgkb5qyfbdan5f7y5d6gj5qsui',
        'link-1-ilpigzqy72onstgsx5onnnpqxh',
        '5kgtog4ts5wjbiujrw3na2x5jx',
        '7dmpww56jvxpqlzvcul4blpuhy',
      ],
    );
  });

  it('stores this fingerprint of the key, so that other relays open the ledger', async () => {
    const kept = new Map<string, string>();
    await createIdentity(config, settingsIn(kept)).ready();
    assert.equal(kept.get('request_id_key_fingerprint'), 'kduxpw2dzgk33xyknovi46ysjm');
  });

  it('stores a generated key when none is configured, and derives the same ids again', async () => {
    const kept = new Map<string, string>();
    const { intentIdOf } = createIdentity(
      { ...config, request_id_key: undefined },
      settingsIn(kept),
    );
    const id = await intentIdOf('one');
    assert.match(kept.get('request_id_key') ?? '', /^[0-9a-f]{64}$/);
    const again = createIdentity({ ...config, request_id_key: undefined }, settingsIn(kept));
    assert.equal(await again.intentIdOf('one'), id);
  });
});
