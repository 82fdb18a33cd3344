/** Finds a secret that two fields of the configuration share. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { sharedSecrets } from '../../../../relay/config/shared-secrets.js';
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
