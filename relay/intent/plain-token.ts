/**
 * Verifies the usual order token without WebCrypto, which computes each signature in another
 * thread: the switch of threads costs several times more than the signature.
 *
 * It accepts less than jose does and refuses nothing. Whatever it does not accept is left to jose,
 * which decides and says why.
 */
import { base64url, type JWTPayload } from 'jose';
import { areEqual, type Mac } from '../digest.js';

type Expected = {
  /** Makes the signature of the key that the header names; null when the key is not for HS256. */
  mac: Mac | null;
  typ: string;
  audiences: readonly string[];
  clockToleranceS: number;
  maxAgeS: number;
  /** Seconds since the epoch. */
  now: number;
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Any other field of a header may change what the token means. */
const KNOWN_FIELDS = ['alg', 'typ', 'kid'];

/**
 * @param token whose parts are canonical base64url
 * @param header of the token
 * @returns null when the token is left to jose
 */
export function verifyPlainToken(
  token: string,
  header: Readonly<Record<string, unknown>>,
  { audiences, clockToleranceS, mac, maxAgeS, now, typ }: Expected,
): JWTPayload | null {
  const [head, body, signature, ...more] = token.split('.');
  if (!head || !body || !signature || more.length > 0) return null;
  if (!mac || header.alg !== 'HS256' || header.typ !== typ) return null;
  if (!Object.keys(header).every((name) => KNOWN_FIELDS.includes(name))) return null;
  if (!areEqual(mac(`${head}.${body}`), base64url.decode(signature))) return null;
  const payload = parsed(base64url.decode(body));
  if (payload === null || 'nbf' in payload) return null;
  const { aud, exp, iat } = payload;
  if (typeof aud !== 'string' || !audiences.includes(aud)) return null;
  if (typeof iat !== 'number' || typeof exp !== 'number') return null;
  const isTimely =
    exp > now - clockToleranceS && iat <= now + clockToleranceS && now - iat <= maxAgeS;
  return isTimely ? payload : null;
}

/** @returns null when the bytes are no JSON object */
function parsed(bytes: Uint8Array): JWTPayload | null {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is JWTPayload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
