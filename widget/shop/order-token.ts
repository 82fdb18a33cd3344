/**
 * Signs the two tokens of the element, as compact JWS: the order token says what may be charged,
 * and the deposit token says which customer may see a deposit address.
 */
import { fromBase64, hmacKey, toBase64Url, utf8 } from './secret.js';

export type OrderClaims = {
  /** The relay's `public_url`. */
  aud: string;
  /** Identifies the purchase and its intent: 8 to 56 characters of A-Z a-z 0-9 _ - */
  jti: string;
  /** A decimal string such as "19.90". */
  amount: string;
  currency: string;
  product_name: string;
  customer_ref_id: string;
  pay_currency?: string | undefined;
  remark?: string | undefined;
  options?: readonly string[] | undefined;
  return_url?: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Lifetime in seconds, at most 86,400; by default 3600. */
  expires_in?: number | undefined;
};

export type DepositClaims = {
  /** The relay's `public_url`. */
  aud: string;
  /** The customer to whom the order service credits the deposit. */
  customer_ref_id: string;
  /** The assets that the customer may deposit; without it, every asset of the relay. */
  currencies?: readonly string[] | undefined;
  /** Lifetime in seconds, at most 86,400; by default 3600. */
  expires_in?: number | undefined;
};

/** A key of `order_token_keys`: a secret (HS256), or a private key as PKCS #8 PEM (EdDSA). */
export type OrderTokenKey = { kid: string; secret: string } | { kid: string; private_key: string };

const DEFAULT_LIFETIME_S = 3600;
const MAX_LIFETIME_S = 86_400;

/**
 * @returns a compact JWS
 * @throws TypeError when the amount is not a decimal string, the lifetime is out of bounds, or the
 *   key is empty or not a PEM
 */
export async function signOrderToken(claims: OrderClaims, key: OrderTokenKey): Promise<string> {
  if (typeof claims.amount !== 'string' || !/^\d+(\.\d+)?$/.test(claims.amount))
    throw new TypeError('amount is not a decimal string such as "19.90"');
  return signClaims('pay-order+jwt', claims, key);
}

/**
 * @returns a compact JWS
 * @throws TypeError when the lifetime is out of bounds, or the key is empty or not a PEM
 */
export const signDepositToken = (claims: DepositClaims, key: OrderTokenKey): Promise<string> =>
  signClaims('pay-deposit+jwt', claims, key);

async function signClaims(
  typ: string,
  { expires_in = DEFAULT_LIFETIME_S, ...claims }: OrderClaims | DepositClaims,
  key: OrderTokenKey,
): Promise<string> {
  if (!(expires_in > 0 && expires_in <= MAX_LIFETIME_S))
    throw new TypeError(`expires_in is not between 1 and ${MAX_LIFETIME_S} seconds`);
  const iat = Math.floor(Date.now() / 1000);
  const alg = 'secret' in key ? 'HS256' : 'EdDSA';
  const part = (value: object): string => toBase64Url(utf8(JSON.stringify(value)).buffer);
  const header = part({ alg, typ, kid: key.kid });
  const text = `${header}.${part({ iat, exp: iat + Math.floor(expires_in), ...claims })}`;
  return `${text}.${toBase64Url(await sign(key, utf8(text)))}`;
}

async function sign(key: OrderTokenKey, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  if ('secret' in key) {
    // as the relay does: a file often ends with a line break
    const secret = utf8(key.secret.trim());
    if (secret.length === 0) throw new TypeError('the secret of the key is empty');
    return crypto.subtle.sign('HMAC', await hmacKey(secret, 'sign'), data);
  }
  const pem = /-----BEGIN PRIVATE KEY-----([^-]+)-----END/.exec(key.private_key)?.[1];
  if (pem === undefined) throw new TypeError('private_key is not a PKCS #8 PEM');
  const bytes = fromBase64(pem.replace(/\s/g, ''), 'private_key');
  const algorithm = { name: 'Ed25519' };
  const privateKey = await crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
  return crypto.subtle.sign(algorithm, privateKey, data);
}
