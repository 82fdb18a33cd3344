/** Checks the secret key that the shop's backend sends as a Bearer credential. */
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';
import { areEqual, sha256Of } from '../digest.js';

/**
 * @param fromBackend the result of `hasSecretKey`
 * @throws Failure `not_configured` or `unauthorized`
 */
export function requireSecretKey(config: Config, fromBackend: boolean): void {
  if (!config.secret_key) throw new Failure('not_configured', 'secret_key is not configured');
  if (!fromBackend) throw new Failure('unauthorized', 'the secret key is missing or wrong');
}

/** Whether a request carries one of the secret keys. */
export function hasSecretKey(config: Config, request: Request): boolean {
  const bearerKey = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!config.secret_key || bearerKey === undefined) return false;
  const bearerDigest = sha256Of(bearerKey);
  // every key is compared, so that the time of the comparison reveals nothing
  return config.secret_key
    .map((key) => areEqual(sha256Of(key.reveal()), bearerDigest))
    .includes(true);
}
