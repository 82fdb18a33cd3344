/** Checks that the fast verification of a token accepts nothing that jose would refuse. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { macWith } from '../../../../relay/digest.js';
import { verifyPlainToken } from '../../../../relay/intent/plain-token.js';
import { SECRETS } from '../../support/world.js';
import { claims, config, sign, type Parts } from './signed-token.js';

const key = new TextEncoder().encode(SECRETS.TOKEN);
const expected = {
  mac: macWith(SECRETS.TOKEN ?? ''),
  typ: 'pay-order+jwt',
  audiences: [config.public_url],
  clockToleranceS: 30,
  maxAgeS: 86_400,
};
const joseOptions = {
  algorithms: ['HS256'],
  typ: expected.typ,
  audience: expected.audiences,
  clockTolerance: expected.clockToleranceS,
  maxTokenAge: expected.maxAgeS,
  requiredClaims: ['iat', 'exp'],
};

/** A usual value, and less often another one. */
const mostly = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const aToken = fc.record({
  issued: mostly(0, -90_000, -86_431, -86_400, -31, 29, 31, 600),
  expires: mostly(600, -90_000, -31, -29, 0, 86_400),
  secret: mostly(SECRETS.TOKEN, 'another-key-of-at-least-32-bytes-length'),
  audience: mostly<Parts['audience']>(undefined, 'https://other.example', [config.public_url]),
  header: mostly<NonNullable<Parts['header']>>(
    {},
    { typ: 'PAY-ORDER+JWT' },
    { typ: 'JWT' },
    { b64: true, crit: ['b64'] },
  ),
  more: mostly<object>({}, { nbf: 9e9 }, { nbf: 0 }, { exp: '1' }, { iat: undefined }, { aud: [] }),
});

describe('verifyPlainToken', () => {
  it('accepts the usual token', async () => {
    const token = await sign(claims);
    const now = Math.floor(Date.now() / 1000);
    const payload = verifyPlainToken(token, decodeProtectedHeader(token), { ...expected, now });
    assert.equal(payload?.jti, claims.jti);
  });

  it('leaves a token to jose when the key is not for HS256', async () => {
    const token = await sign(claims);
    const now = Math.floor(Date.now() / 1000);
    const given = { ...expected, mac: null, now };
    assert.equal(verifyPlainToken(token, decodeProtectedHeader(token), given), null);
  });

  it('accepts only what jose accepts, with the same claims', () =>
    fc.assert(
      fc.asyncProperty(aToken, async ({ more, ...parts }) => {
        const token = await sign({ ...claims, ...more }, parts);
        const now = Math.floor(Date.now() / 1000);
        const given = { ...expected, now };
        const payload = verifyPlainToken(token, decodeProtectedHeader(token), given);
        if (payload === null) return;
        const currentDate = new Date(now * 1000);
        const byJose = await jwtVerify(token, key, { ...joseOptions, currentDate });
        assert.deepEqual(payload, byJose.payload);
      }),
      { numRuns: 500 },
    ));
});
