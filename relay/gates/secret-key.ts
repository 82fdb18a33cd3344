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
  const [left, right] = await Promise.all([digest(given), digest(config.secret_key.reveal())]);
  // over digests of equal length, every byte is compared
  return left.reduce((sum, byte, index) => sum | (byte ^ (right[index] ?? 0)), 0) === 0;
}
