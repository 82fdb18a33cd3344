/** Checks the secret key that the shop's backend sends as a Bearer credential. */
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/**
 * @param fromBackend the result of `hasSecretKey`
 * @throws Failure `not_configured` or `unauthorized`
 */
export function requireSecretKey(config: Config, fromBackend: boolean): void {
  if (!config.secret_key) throw new Failure('not_configured', 'secret_key is not configured');
  if (!fromBackend) throw new Failure('unauthorized', 'the secret key is missing or wrong');
}

/** Whether a request carries one of the secret keys. */
export async function hasSecretKey(config: Config, request: Request): Promise<boolean> {
  const bearerKey = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!config.secret_key || bearerKey === undefined) return false;
  const bearerDigest = await digest(bearerKey);
  // all bytes of all keys are compared, so that the time of the comparison reveals nothing
  const differences = await Promise.all(
    config.secret_key.map(async (key) => {
      const known = await digest(key.reveal());
      return bearerDigest.reduce((sum, byte, index) => sum | (byte ^ (known[index] ?? 0)), 0);
    }),
  );
  return differences.includes(0);
}
