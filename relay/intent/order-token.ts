/** Order and deposit tokens: compact JWS, one algorithm per kid. */
import { decodeProtectedHeader, errors, importSPKI, jwtVerify, type JWTPayload } from 'jose';
import { z } from 'zod';
import type { Config } from '../config/schema.js';
import { DAY_S } from '../contract/durations.js';
import { Failure } from '../contract/failure.js';
import { metadata } from '../contract/metadata.js';
import {
  amountText,
  customerRef,
  isCurrencyCode,
  tokenId,
  untrimmedText,
  withoutInvisible,
} from '../contract/requests.js';
import { isPageText } from '../contract/visible-text.js';
import { firstWrongField } from '../contract/wrong-field.js';
import { whyRefused } from './why-refused.js';

/** How far the clocks of shop and relay may differ. */
const CLOCK_TOLERANCE_S = 30;
const MAX_LIFETIME_S = DAY_S;
/** How long an expired token still shows its order. */
const RESUME_AFTER_EXPIRY_S = DAY_S;
/** How long any token that exists now may still be used. */
export const LONGEST_USE_MS = (MAX_LIFETIME_S + RESUME_AFTER_EXPIRY_S) * 1000;

const registered = {
  aud: z.unknown(),
  iat: z.number(),
  exp: z.number(),
  iss: z.unknown().optional(),
  sub: z.unknown().optional(),
  nbf: z.unknown().optional(),
};
const text = untrimmedText(500);
/** The customer reads it above the amount. It is not trimmed: orders are compared by it. */
const pageText = z.string().min(1).max(500).refine(isPageText, withoutInvisible);

const orderClaims = z.strictObject({
  ...registered,
  jti: tokenId,
  amount: amountText,
  // as every other request names it: the element repeats it, and the backend in `expect`
  currency: text.refine(isCurrencyCode, { error: 'a currency code' }),
  product_name: pageText,
  customer_ref_id: customerRef,
  pay_currency: text.optional(),
  remark: pageText.optional(),
  options: z.array(text).min(1).optional(),
  return_url: z.url({ protocol: /^https?$/ }).optional(),
  metadata: metadata.optional(),
});
const depositClaims = z.strictObject({
  ...registered,
  jti: z.string().optional(),
  customer_ref_id: customerRef,
  currencies: z.array(text).min(1).optional(),
});

/** The tokens differ in their `typ` and claims; a failure names the `field` of the request. */
type TokenKind<T> = { typ: string; field: string; claims: z.ZodType<T> };
const ORDER: TokenKind<OrderClaims> = {
  typ: 'pay-order+jwt',
  field: 'order_token',
  claims: orderClaims,
};
const DEPOSIT: TokenKind<DepositClaims> = {
  typ: 'pay-deposit+jwt',
  field: 'deposit_token',
  claims: depositClaims,
};

export type OrderClaims = z.infer<typeof orderClaims>;
export type DepositClaims = z.infer<typeof depositClaims>;

/** `stale`: the token expired more than a day ago. */
type Verified<T> = { claims: T; expired: boolean; stale: boolean };

/**
 * Verifies a token. An expired token that passes every other check is returned as `expired`.
 *
 * @param audiences the addresses of which the token must name one
 * @throws Failure `token_invalid`
 */
export async function verifyOrderToken(
  config: Config,
  token: string,
  audiences = [config.public_url],
): Promise<Verified<OrderClaims>> {
  return verify(config, token, ORDER, audiences);
}

/** @throws Failure `token_invalid` or `token_expired` */
export async function verifyDepositToken(
  config: Config,
  token: string,
  audiences = [config.public_url],
): Promise<DepositClaims> {
  const { claims, expired } = await verify(config, token, DEPOSIT, audiences);
  if (expired) throw new Failure('token_expired', 'the deposit token has expired', DEPOSIT.field);
  return claims;
}

async function verify<T>(
  config: Config,
  token: string,
  kind: TokenKind<T>,
  audiences: string[],
): Promise<Verified<T>> {
  const { field: tokenField } = kind;
  if (config.order_token_keys.length === 0)
    throw new Failure('not_configured', 'order_token_keys are not configured', tokenField);
  const { payload, expired } = await verifySignature(config, token, kind, audiences);
  // a list of audiences passes the library's check, and would be a token for two relays
  if (typeof payload.aud !== 'string') throw invalid(tokenField, 'aud is not a single text');
  const claims = kind.claims.safeParse(payload);
  if (!claims.success) {
    const { field, problem } = firstWrongField(claims.error);
    throw invalid(tokenField, `claim ${field} is not accepted: ${problem}`);
  }
  if ((payload.exp ?? 0) - (payload.iat ?? 0) > MAX_LIFETIME_S + CLOCK_TOLERANCE_S)
    throw invalid(tokenField, 'exp is more than 24 h after iat; both count seconds');
  const stale = expired && Date.now() / 1000 - (payload.exp ?? 0) > RESUME_AFTER_EXPIRY_S;
  return { claims: claims.data, expired, stale };
}

async function verifySignature(
  config: Config,
  token: string,
  { field, typ }: Pick<TokenKind<unknown>, 'field' | 'typ'>,
  audiences: string[],
): Promise<{ payload: JWTPayload; expired: boolean }> {
  const keys = config.order_token_keys;
  try {
    const parts = token.split('.');
    if (parts.length !== 3) throw invalid(field, 'not a compact JWS, which has two dots');
    if (!parts.every(isCanonical)) throw invalid(field, 'not canonical base64url');
    const { kid } = decodeProtectedHeader(token);
    const key =
      kid === undefined && keys.length === 1
        ? keys[0]
        : keys.find((candidate) => candidate.kid === kid);
    if (!key)
      throw invalid(
        field,
        kid === undefined
          ? 'it has no kid, and order_token_keys has several keys'
          : 'its kid is not in order_token_keys',
      );
    const imported = await importedKey(key);
    const options = {
      algorithms: [key.alg],
      typ,
      audience: audiences,
      clockTolerance: CLOCK_TOLERANCE_S,
      maxTokenAge: MAX_LIFETIME_S,
      requiredClaims: ['iat', 'exp'],
    };
    return { payload: (await jwtVerify(token, imported, options)).payload, expired: false };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { payload: error.payload, expired: true };
    if (error instanceof Failure) throw error;
    throw invalid(field, whyRefused(config, typ, error));
  }
}

type OrderTokenKey = Config['order_token_keys'][number];

/** Each key is imported once: an import costs as much as the check of a signature. */
const imports = new WeakMap<OrderTokenKey, Promise<CryptoKey>>();

function importedKey(key: OrderTokenKey): Promise<CryptoKey> {
  const known = imports.get(key) ?? importKey(key);
  imports.set(key, known);
  return known;
}

function importKey(key: OrderTokenKey): Promise<CryptoKey> {
  if (key.alg === 'EdDSA') return importSPKI(key.public_key.reveal(), 'EdDSA');
  const bytes = new TextEncoder().encode(key.secret.reveal());
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

/**
 * The spare bits of a part's last character must be zero (RFC 4648, section 3.5), so that a token
 * has only one spelling.
 */
const isCanonical = (part: string): boolean =>
  /^([\w-]{4})*([\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/.test(part);

const invalid = (field: string, reason: string): Failure =>
  new Failure('token_invalid', `the token is refused: ${reason}`, field);
