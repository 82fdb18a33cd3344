/** Finds weak secrets: shared by two fields of the configuration, or short in live mode. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { sharedSecrets, shortSecret, shortSecrets } from '../../../../relay/config/weak-secrets.js';
import { testConfig } from '../../support/world.js';

const key = (name: string) => ({ kid: 'k1', alg: 'HS256', secret: { env: name } });
const found = (change: object): [string, string][] =>
  sharedSecrets(
    parseConfig({ ...testConfig, ...change }, (reference) =>
      'env' in reference ? `${reference.env.replace(/_COPY$/, '')}-of-at-least-32-bytes-each` : '',
    ),
  );

describe('sharedSecrets', () => {
  it('finds nothing when each field has its own secret, or one list has a secret twice', () => {
    assert.deepEqual(
      found({
        secret_key: [{ env: 'BACKEND' }, { env: 'BACKEND_COPY' }],
        order_token_keys: [key('TOKENS')],
        shop_events: { url: 'https://shop.example/', secret: { env: 'EVENTS' } },
      }),
      [],
    );
  });

  for (const [field, change] of [
    ['secret_key', { secret_key: { env: 'TOKENS_COPY' } }],
    ['request_id_key', { request_id_key: { env: 'TOKENS' } }],
    [
      'shop_events.secret',
      { shop_events: { url: 'https://a.example/', secret: { env: 'TOKENS' } } },
    ],
    ['capability_keys', { capability_keys: [{ kid: 'c1', secret: { env: 'TOKENS' } }] }],
    ['operator.key', { operator: { port: 9090, key: { env: 'TOKENS' } } }],
  ] as const)
    it(`finds ${field} when it equals the key of the order tokens`, () => {
      assert.deepEqual(found({ order_token_keys: [key('TOKENS')], ...change }), [
        [field, 'order_token_keys'],
      ]);
    });
});

describe('shortSecrets', () => {
  const live = { mode: 'live', service: { base_url: 'https://service.example' } };
  const short = (change: object): string[] =>
    shortSecrets(
      parseConfig({ ...testConfig, ...change }, (reference) =>
        'env' in reference ? 'x'.repeat(Number(reference.env.slice(1))) : '',
      ),
    );
  const secrets = {
    secret_key: [{ env: 'A31' }, { env: 'A32' }],
    order_token_keys: [key('A16'), { ...key('A17'), kid: 'k2' }],
    capability_keys: [{ kid: 'c1', secret: { env: 'A32' } }],
    operator: { port: 9090, key: { env: 'A8' } },
  };

  it('names each field of live mode with a short secret once, and none of test mode', () => {
    const fields = ['order_token_keys', 'secret_key', 'operator.key'];
    assert.deepEqual(short({ ...live, ...secrets }), fields);
    assert.deepEqual(short(secrets), []);
  });

  it('are to become what the next check accepts, also the one of the events', () => {
    assert.match(shortSecret('shop_events.secret'), /to whsec_ followed by what "openssl rand/);
    assert.match(shortSecret('secret_key'), /says, to what "openssl rand/);
  });
});
