/** The metadata of an intent reaches the shop's events and queries, and nobody else. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { readSecret, testConfig } from '../../support/world.js';
import { verifyOrderToken } from '../../../../relay/intent/order-token.js';
import { claims, config, sign } from '../intent/signed-token.js';
import { codeOf, createShop } from './shop.js';

const messageOf = ({ body }: { body: Record<string, unknown> }): string =>
  String((body.error as { message?: string } | undefined)?.message);

/** Metadata with `count` keys and short values. */
const keys = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']));

/** Metadata of 5 keys with this many bytes as JSON. */
function ofBytes(bytes: number): Record<string, string> {
  const full = 'v'.repeat(500);
  const values = { a: full, b: full, c: full, d: full, e: '' };
  const rest = bytes - Buffer.byteLength(JSON.stringify(values));
  return { ...values, e: 'v'.repeat(rest) };
}

const accepted: Record<string, unknown> = {
  'twenty keys': keys(20),
  'a key of forty characters': { ['k'.repeat(40)]: 'v' },
  'a value of five hundred characters': { k: 'v'.repeat(500) },
  'a value of five hundred emoji': { k: '🌲'.repeat(500) },
  'exactly 2,048 bytes in all': ofBytes(2048),
  'an empty value': { k: '' },
  'no key': {},
};
const refused: Record<string, unknown> = {
  'twenty-one keys': keys(21),
  'a key of forty-one characters': { ['k'.repeat(41)]: 'v' },
  'an empty key': { '': 'v' },
  'a value of five hundred and one characters': { k: 'v'.repeat(501) },
  'exactly 2,049 bytes in all': ofBytes(2049),
  '2,049 bytes of characters with two bytes': {
    a: 'ä'.repeat(500),
    b: 'ä'.repeat(500),
    c: 'ä'.repeat(30),
  },
  'a number': { k: 1 },
  'a nested object': { k: {} },
  null: null,
  'a list': ['v'],
  'the key __proto__': JSON.parse('{"__proto__": "v"}'),
  'the key constructor': { constructor: 'v' },
  'half a surrogate pair': { k: '\ud800' },
};

describe('metadata', () => {
  for (const [what, metadata] of Object.entries(accepted))
    it(`accepts metadata of a token with ${what}`, async () => {
      const shop = await createShop();
      assert.equal((await shop.pay('metadata-1', { metadata })).status, 200);
      const { body } = await shop.query('metadata-1');
      assert.deepEqual((body.order as { metadata?: unknown } | undefined)?.metadata, metadata);
    });

  for (const [what, metadata] of Object.entries(accepted))
    it(`accepts a token that the shop signed itself, and its metadata with ${what}`, async () => {
      const verified = await verifyOrderToken(config, await sign({ ...claims, metadata }));
      assert.deepEqual(verified.claims.metadata, metadata);
    });

  for (const [what, metadata] of Object.entries(refused)) {
    it(`refuses a token that the shop signed itself when its metadata has ${what}`, async () => {
      const token = await sign({ ...claims, metadata });
      await assert.rejects(verifyOrderToken(config, token), {
        code: 'token_invalid',
        message: /claim metadata/,
      });
    });

    it(`refuses metadata of a token with ${what}`, async () => {
      const shop = await createShop();
      const sale = { amount: '1', currency: 'USD', product_name: 'A', customer_ref_id: 'c' };
      const answer = await shop.ask('/v1/order-tokens', { ...sale, metadata });
      assert.equal(codeOf(answer), 'invalid_request');
      assert.match(String((answer.body.error as { field?: string }).field), /^metadata/);
    });

    it(`refuses metadata of the catalogue with ${what}`, () => {
      const tee = { amount: '1', currency: 'USD', product_name: 'T-shirt', metadata };
      assert.throws(
        () => parseConfig({ ...testConfig, catalogue: { tee } }, readSecret),
        /catalogue\.tee\.metadata/,
      );
    });
  }

  it('sends metadata to the shop, but neither to the service nor to a page', async () => {
    const tee = {
      amount: '19.90',
      currency: 'USD',
      product_name: 'T-shirt',
      max_quantity: 5,
      metadata: { shelf: 'B-7' },
    };
    const shop = await createShop({ config: { catalogue: { tee } } });
    const sale = { sku: 'tee', quantity: 2, attempt: crypto.randomUUID() };
    const paid = await shop.world.ask('/v1/pay', { ...sale, option: 'qr' });
    assert.equal(paid.status, 200);
    const shown = await shop.world.ask('/v1/checkout', sale);
    for (const text of [JSON.stringify(paid.body), JSON.stringify(shown.body)])
      assert.doesNotMatch(text, /B-7|metadata/);
    assert.doesNotMatch(JSON.stringify(shop.world.sandbox.calls), /B-7|metadata/);
    await shop.receivedTypes();
    const [created] = shop.received;
    assert.deepEqual(
      [created?.data.mode, created?.data.sku, created?.data.quantity, created?.data.metadata],
      ['catalogue', 'tee', 2, { shelf: 'B-7' }],
    );
  });

  it('sends metadata of a token neither to the service nor to a page', async () => {
    const shop = await createShop();
    const order_token = await shop.token('basket-73', { metadata: { shelf: 'B-7' } });
    const page = { order_token, attempt: crypto.randomUUID() };
    const { ask } = shop.world;
    const paid = await ask('/v1/pay', { ...page, option: 'qr' });
    assert.equal(paid.status, 200);
    const { order_key, request_id } = paid.body.order ?? {};
    const resume = { request_id, order_key };
    await shop.customerPays(request_id ?? '');
    for (const { body, status } of [
      paid,
      await ask('/v1/checkout', page),
      await ask('/v1/checkout', { resume }),
      await ask('/v1/query', { ...resume, wait: 1 }),
    ]) {
      assert.equal(status, 200, JSON.stringify(body));
      assert.doesNotMatch(JSON.stringify(body), /B-7|metadata/);
    }
    assert.ok(shop.world.sandbox.calls.length >= 2);
    assert.doesNotMatch(JSON.stringify(shop.world.sandbox.calls), /B-7|metadata/);
    const { body } = await shop.query('basket-73');
    const told = body.order as { metadata?: unknown } | undefined;
    assert.deepEqual(told?.metadata, { shelf: 'B-7' });
  });

  it('refuses a token with other metadata under the same jti', async () => {
    const shop = await createShop();
    await shop.pay('metadata-2', { metadata: { a: '1', b: '2' } });
    assert.equal((await shop.pay('metadata-2', { metadata: { b: '2', a: '1' } })).status, 200);
    const other = await shop.pay('metadata-2', { metadata: { a: '1', b: '3' } });
    assert.deepEqual([other.status, codeOf(other)], [409, 'intent_conflict']);
    assert.match(messageOf(other), /: metadata$/);
    const several = await shop.pay('metadata-2', {
      metadata: { a: '1', b: '2' },
      remark: 'x',
      amount: '9',
    });
    assert.match(messageOf(several), /: remark, amount$/);
  });
});
