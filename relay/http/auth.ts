/** The shop's backend proves itself with the secret key, as a Bearer credential. */
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** @throws Failure `not_configured` or `unauthorized` */
export function requireSecretKey(config: Config, fromBackend: boolean): void {
  if (!config.secret_key) throw new Failure('not_configured', 'secret_key is not configured');
  if (!fromBackend) throw new Failure('unauthorized', 'the secret key is missing or wrong');
}

export async function hasSecretKey(config: Config, request: Request): Promise<boolean> {
  const given = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
  if (!config.secret_key || given === undefined) return false;
  const sought = await digest(given);
  // over digests of equal length, every byte of every key is compared
  const differences = await Promise.all(
    config.secret_key.map(async (key) => {
      const known = await digest(key.reveal());
      return sought.reduce((sum, byte, index) => sum | (byte ^ (known[index] ?? 0)), 0);
    }),
  );
  return differences.includes(0);
}
