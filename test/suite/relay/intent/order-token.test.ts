/** Checks which tokens of a shop's backend the relay accepts, and for how long. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeJwt, decodeProtectedHeader, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { Failure } from '../../../../relay/contract/failure.js';
import { verifyDepositToken, verifyOrderToken } from '../../../../relay/intent/order-token.js';
import { signOrderToken } from '../../../../relay/intent/sign-order-token.js';
import { readSecret, SECRETS, testConfig } from '../../support/world.js';
import { claims, config, sign, type Parts } from './signed-token.js';

const DAY_S = 86_400;
/** @returns the code and the field of a refusal */
const refused = (error: unknown): unknown => {
  assert.ok(error instanceof Failure);
  return [error.code, error.field];
};
const read = async (body: Record<string, unknown> = claims, parts: Parts = {}): Promise<unknown> =>
  verifyOrderToken(config, await sign(body, parts)).then(
    ({ expired, stale }) => ({ expired, stale }),
    refused,
  );
const VALID = { expired: false, stale: false };
const INVALID = ['token_invalid', 'order_token'];

/** A configuration whose first key is a public key and whose second key is a secret. */
async function withPublicKey() {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  SECRETS.PUBLIC = await exportSPKI(publicKey);
  const order_token_keys = [
    { kid: 'e1', alg: 'EdDSA' as const, public_key: { env: 'PUBLIC' } },
    { kid: 'k1', alg: 'HS256' as const, secret: { env: 'TOKEN' } },
  ];
  return { privateKey, using: parseConfig({ ...testConfig, order_token_keys }, readSecret) };
}

describe('verifyOrderToken', () => {
  it('accepts a token with registered claims that the relay does not use', async () =>
    assert.deepEqual(await read({ ...claims, iss: 'shop', sub: 's', nbf: 0 }), VALID));

  for (const [what, change] of Object.entries({
    'an unknown claim': { discount: '1' },
    'no jti': { jti: undefined },
    'a jti of seven characters': { jti: 'jti-one' },
    'no amount': { amount: undefined },
    'a number as amount': { amount: 12.5 },
    'an empty currency': { currency: '' },
    'an empty product_name': { product_name: '' },
    'a product_name of 501 characters': { product_name: 'x'.repeat(501) },
    'a bidirectional control in product_name': { product_name: 'A\u202etree' },
    'a blank of Braille in remark': { remark: 'A\u2800tree' },
    'no customer_ref_id': { customer_ref_id: undefined },
    'an empty list of options': { options: [] },
    'a return_url of another scheme': { return_url: 'ftp://shop.example/' },
  }))
    it(`refuses a token with ${what}`, async () =>
      assert.deepEqual(await read({ ...claims, ...change }), INVALID));

  for (const claim of ['product_name', 'remark'])
    it(`names ${claim} when it refuses a token for a zero-width character`, async () => {
      const token = await sign({ ...claims, [claim]: 'A\u200btree' });
      const why = new RegExp(`claim ${claim} is not accepted: a text without control, .*invisible`);
      await assert.rejects(verifyOrderToken(config, token), why);
    });

  it('names currency when it refuses a token for a form that no other request takes', async () => {
    const token = await sign({ ...claims, currency: 'USDT (TRC20)' });
    const why = /claim currency is not accepted: a currency code/;
    await assert.rejects(verifyOrderToken(config, token), why);
  });

  // a ledger cuts or replaces these characters, and two customers would have the same id
  for (const [claim, change] of Object.entries({
    customer_ref_id: { customer_ref_id: 'anna\0' },
    currency: { currency: 'USD\ud800' },
    pay_currency: { pay_currency: 'BTC\0' },
    'options.0': { options: ['card\udfff'] },
  }))
    it(`names ${claim} when it refuses a token for U+0000 or half a character`, async () => {
      const why = new RegExp(
        `claim ${claim} is not accepted: a text (without control|of whole) characters`,
      );
      await assert.rejects(verifyOrderToken(config, await sign({ ...claims, ...change })), why);
    });

  for (const [what, parts] of Object.entries({
    'signed by another key': { secret: 'another-key-of-at-least-32-bytes-length' },
    'under an unknown kid': { header: { kid: 'k2' } },
    'of another type': { header: { typ: 'pay-deposit+jwt' } },
    'for another relay': { audience: 'https://other.example/pay' },
    'for two relays': { audience: [config.public_url, 'https://other.example/pay'] },
    'issued a minute ahead': { issued: 60 },
  }))
    it(`refuses a token that is ${what}`, async () =>
      assert.deepEqual(await read(claims, parts), INVALID));

  for (const [what, parts, why] of [
    ['its signature', { secret: 'another-key-of-at-least-32-bytes-length' }, /signature.* kid/],
    ['aud', { audience: 'https://other.example/pay' }, /aud is not .* https:\/\/shop.example\/pay/],
    ['its typ', { header: { typ: 'pay-deposit+jwt' } }, /typ in its header is not pay-order\+jwt$/],
    ['its missing typ', { header: { typ: undefined } }, /claim typ is missing|typ in its header/],
    ['its alg', { header: { alg: 'HS512' } }, /its alg is not the alg of this kid/],
    ['its kid', { header: { kid: 'k2' } }, /its kid is not in order_token_keys/],
    ['its exp', { expires: Date.now() }, /exp is more than 24 h after iat; both count seconds/],
    ['its iat', { issued: 600 }, /iat is in the future: it counts seconds; .* compare the clocks/],
  ] as const)
    it(`names ${what} to the shop’s developer when a token is refused for it`, async () => {
      await assert.rejects(verifyOrderToken(config, await sign(claims, parts)), why);
    });

  for (const text of ['', 'a', 'a.b.c', 'e30.e30.e30'])
    it(`refuses “${text}”, because it is no token`, async () =>
      assert.deepEqual(await verifyOrderToken(config, text).catch(refused), INVALID));

  it('says that a text without two dots is no token', async () => {
    for (const text of ['p'.repeat(26), 'e30.e30', 'e30.e30.e30.e30.e30'])
      await assert.rejects(verifyOrderToken(config, text), /compact JWS, which has two dots/);
  });

  it('refuses a token whose base64url signature has other spare bits', async () => {
    const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const token = await sign();
    const last = ALPHABET[ALPHABET.indexOf(token.at(-1) ?? '') + 1] ?? '';
    const respelled = verifyOrderToken(config, token.slice(0, -1) + last);
    assert.deepEqual(await respelled.catch(refused), INVALID);
  });

  it('accepts an EdDSA token under its kid', async () => {
    const { privateKey, using } = await withPublicKey();
    const now = Math.floor(Date.now() / 1000);
    const token = await new SignJWT({ ...claims, aud: config.public_url, iat: now, exp: now + 60 })
      .setProtectedHeader({ alg: 'EdDSA', kid: 'e1', typ: 'pay-order+jwt' })
      .sign(privateKey);
    assert.equal((await verifyOrderToken(using, token)).claims.jti, claims.jti);
  });

  it('refuses a token without iat or exp', async () => {
    assert.deepEqual(await read({ ...claims, iat: undefined }), INVALID);
    assert.deepEqual(await read({ ...claims, exp: undefined }), INVALID);
  });

  it('refuses every token when no key is configured', async () => {
    const open = { ...config, order_token_keys: [] };
    assert.deepEqual(await verifyOrderToken(open, await sign()).catch(refused), [
      'not_configured',
      'order_token',
    ]);
  });

  it('requires the kid of a token only when several keys are configured', async () => {
    const parts = { header: { kid: undefined } };
    assert.deepEqual(await read(claims, parts), VALID);
    const two = parseConfig(
      {
        ...testConfig,
        order_token_keys: [
          { kid: 'k1', alg: 'HS256', secret: { env: 'TOKEN' } },
          { kid: 'k2', alg: 'HS256', secret: { env: 'TOKEN' } },
        ],
      },
      readSecret,
    );
    await assert.rejects(verifyOrderToken(two, await sign(claims, parts)), {
      code: 'token_invalid',
      message: /it has no kid, and order_token_keys has several keys$/,
    });
  });

  it('accepts a token when the clocks differ by up to thirty seconds', async () => {
    assert.deepEqual(await read(claims, { issued: 25 }), VALID);
    assert.deepEqual(await read(claims, { expires: -25 }), VALID);
    assert.deepEqual(await read(claims, { expires: -35 }), { expired: true, stale: false });
  });

  it('refuses a token that lives for more than a day', async () => {
    assert.deepEqual(await read(claims, { expires: DAY_S + 30 }), VALID);
    assert.deepEqual(await read(claims, { expires: DAY_S + 31 }), INVALID);
    const long = { issued: -DAY_S - 3600, expires: 3600 };
    assert.deepEqual(await read(claims, long), INVALID);
    assert.deepEqual(await read(claims, { ...long, expires: -3000 }), INVALID);
  });

  it('marks a token as stale when it expired more than a day ago', async () => {
    const ended = (expires: number): Parts => ({ issued: expires - 600, expires });
    assert.deepEqual(await read(claims, ended(-DAY_S + 60)), { expired: true, stale: false });
    assert.deepEqual(await read(claims, ended(-DAY_S - 60)), { expired: true, stale: true });
  });

  it('refuses wrong claims also when the token has expired', async () => {
    const ended = { issued: -1200, expires: -600 };
    assert.deepEqual(await read({ ...claims, discount: '1' }, ended), INVALID);
  });
});

describe('verifyDepositToken', () => {
  const header = { typ: 'pay-deposit+jwt' };
  const deposit = async (parts: Parts = {}): Promise<unknown> =>
    verifyDepositToken(
      config,
      await sign({ customer_ref_id: 'c1', currencies: ['XRP'] }, { header, ...parts }),
    ).catch(refused);

  it('returns the customer and the currencies of a deposit token', async () => {
    const { customer_ref_id, currencies } = (await deposit()) as Record<string, unknown>;
    assert.deepEqual([customer_ref_id, currencies], ['c1', ['XRP']]);
  });

  it('refuses a deposit token when its customer_ref_id ends with U+0000', async () => {
    const token = await sign({ customer_ref_id: 'c1\0' }, { header });
    await assert.rejects(
      verifyDepositToken(config, token),
      /claim customer_ref_id is not accepted: a text without control characters/,
    );
  });

  it('refuses a deposit token when it has expired', async () =>
    assert.deepEqual(await deposit({ expires: -60 }), ['token_expired', 'deposit_token']));
});

describe('signOrderToken', () => {
  const { jti, ...order } = claims;
  const NOW = 1_800_000_000_900;

  it('signs a token for an hour, with a generated jti, when the shop names neither', async () => {
    const signed = await signOrderToken(config, order, NOW);
    assert.deepEqual(decodeProtectedHeader(signed.token), {
      alg: 'HS256',
      typ: 'pay-order+jwt',
      kid: 'k1',
    });
    assert.match(signed.jti, /^[0-9a-f-]{36}$/);
    assert.deepEqual(decodeJwt(signed.token), {
      ...order,
      jti: signed.jti,
      aud: 'https://shop.example/pay',
      iat: 1_800_000_000,
      exp: 1_800_003_600,
    });
    assert.equal(signed.expiresAt, 1_800_003_600_000);
  });

  it('signs a token with the jti and the lifetime that the shop asks for', async () => {
    const signed = await signOrderToken(config, { ...order, jti, expires_in: 60 }, NOW);
    assert.deepEqual([signed.jti, signed.expiresAt], [jti, 1_800_000_060_000]);
    assert.equal(decodeJwt(signed.token).jti, jti);
  });

  it('refuses to sign a return_url on a host that is not the shop’s', async () =>
    assert.deepEqual(
      await signOrderToken(config, { ...order, return_url: 'https://evil.example/' }, NOW).catch(
        refused,
      ),
      ['return_host_refused', 'return_url'],
    ));

  it('signs with the first HS256 key, and refuses to sign when there is none', async () => {
    const { using } = await withPublicKey();
    const { token } = await signOrderToken(using, order, NOW);
    assert.equal(decodeProtectedHeader(token).kid, 'k1');
    const order_token_keys = using.order_token_keys.filter(({ alg }) => alg === 'EdDSA');
    assert.deepEqual(
      await signOrderToken({ ...using, order_token_keys }, order, NOW).catch(refused),
      ['not_configured', undefined],
    );
  });
});
