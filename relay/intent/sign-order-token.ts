/** Signs order tokens for a shop that has no JWT library. */
import { SignJWT } from 'jose';
import type { Config } from '../config/schema.js';
import type { OrderTokenRequest } from '../contract/backend-requests.js';
import { Failure } from '../contract/failure.js';
import { checkListedOptions } from './listed-options.js';
import { withReturnUrl } from './return-url.js';

/**
 * Signs with the first HS256 key.
 *
 * @throws Failure `not_configured`, `option_unknown` or `return_host_refused`
 */
export async function signOrderToken(
  config: Config,
  request: OrderTokenRequest,
  now: number,
): Promise<{ token: string; jti: string; expiresAt: number }> {
  const key = config.order_token_keys.find((candidate) => candidate.alg === 'HS256');
  if (!key || key.alg !== 'HS256')
    throw new Failure('not_configured', 'order_token_keys holds no HS256 key to sign with');
  // a refused return_url is reported to the shop's backend here, not to its customer later
  const checked = withReturnUrl(config, request);
  checkListedOptions(config, request);
  const { jti = crypto.randomUUID(), expires_in = 3600, ...claims } = checked;
  const iat = Math.floor(now / 1000);
  const token = await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'pay-order+jwt', kid: key.kid })
    .setJti(jti)
    .setAudience(config.public_url)
    .setIssuedAt(iat)
    .setExpirationTime(iat + expires_in)
    .sign(new TextEncoder().encode(key.secret.reveal()));
  return { token, jti, expiresAt: (iat + expires_in) * 1000 };
}
