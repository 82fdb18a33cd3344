/** Signs order tokens as a shop's backend does, without the relay's own code. */
import { createHmac } from 'node:crypto';
import type { ShopSetup } from '../machine/shop-config.js';

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const LIFETIME_S = 20 * 3600;

/** @param nowMs the true time in milliseconds since the epoch */
export function signToken(
  { publicUrl, tokenSecret }: ShopSetup,
  claims: Readonly<Record<string, unknown>>,
  nowMs: number,
): string {
  const iat = Math.floor(nowMs / 1000);
  const head = encode({ alg: 'HS256', typ: 'pay-order+jwt', kid: 'k1' });
  const payload = encode({ ...claims, aud: publicUrl, iat, exp: iat + LIFETIME_S });
  const mac = createHmac('sha256', tokenSecret).update(`${head}.${payload}`).digest('base64url');
  return `${head}.${payload}.${mac}`;
}
