/**
 * SHA-256 and HMAC-SHA-256 as synchronous functions. WebCrypto computes each digest in another
 * thread, and the switch of threads costs several times more than the digest of a short text.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

const encoder = new TextEncoder();

/** Makes the HMAC of a text in UTF-8: 32 bytes. */
export type Mac = (text: string) => Uint8Array<ArrayBuffer>;

/** @param key a text in UTF-8, or bytes */
export function macWith(key: string | Uint8Array): Mac {
  // the state after the key, which is the same for each text
  const keyed = hmac.create(sha256, typeof key === 'string' ? encoder.encode(key) : key);
  return (text) => new Uint8Array(keyed.clone().update(encoder.encode(text)).digest());
}

/** The SHA-256 of a text in UTF-8: 32 bytes. */
export const sha256Of = (text: string): Uint8Array => sha256(encoder.encode(text));

/** Compares all bytes, so that the time of the comparison reveals nothing. */
export const areEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length &&
  left.reduce((sum, byte, index) => sum | (byte ^ (right[index] ?? 0)), 0) === 0;
