/** Signs tokens as a shop's backend does; a test may make each part of a token wrong. */
import { SignJWT } from 'jose';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import { readSecret, SECRETS, testConfig } from '../../support/world.js';

export const config = parseConfig(testConfig, readSecret);

export const claims = {
  jti: 'jti-one-1',
  amount: '12.50',
  currency: 'USD',
  product_name: 'A tree',
  customer_ref_id: 'c1',
};

export type Parts = {
  header?: Record<string, unknown>;
  /** The time of issue, in seconds from now. */
  issued?: number;
  /** The time of expiry, in seconds from now. */
  expires?: number;
  audience?: string | string[];
  secret?: string | undefined;
};

/** @param body the claims; a claim with the value undefined is absent */
export function sign(
  body: Record<string, unknown> = claims,
  { audience, expires = 600, header, issued = 0, secret = SECRETS.TOKEN }: Parts = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    aud: audience ?? config.public_url,
    iat: now + issued,
    exp: now + expires,
    ...body,
  })
    .setProtectedHeader({ alg: 'HS256', kid: 'k1', typ: 'pay-order+jwt', ...header })
    .sign(new TextEncoder().encode(secret));
}
