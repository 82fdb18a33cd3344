/**
 * SHA-256 and HMAC-SHA-256 as synchronous functions. WebCrypto computes each digest in another
 * thread, and the switch of threads costs several times more than the digest of a short text.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

// no import, so that the relay also loads in runtimes that have no such module
const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto');

const encoder = new TextEncoder();

/** Makes the HMAC of a text in UTF-8: 32 bytes. */
export type Mac = (text: string) => Uint8Array<ArrayBuffer>;

type Digests = {
  /** @param key a text in UTF-8, or bytes */
  macWith(key: string | Uint8Array): Mac;
  /** The SHA-256 of a text in UTF-8: 32 bytes. */
  sha256Of(text: string): Uint8Array;
};

const bytesOf = (key: string | Uint8Array): Uint8Array =>
  typeof key === 'string' ? encoder.encode(key) : key;

/** For every runtime. */
export const portableDigests: Digests = {
  macWith: (key) => {
    // the state after the key, which is the same for each text
    const keyed = hmac.create(sha256, bytesOf(key));
    return (text) => new Uint8Array(keyed.clone().update(encoder.encode(text)).digest());
  },
  sha256Of: (text) => sha256(encoder.encode(text)),
};

/** Needs half the time for a text as long as an order token. */
export const nodeDigests = ({
  createHash,
  createHmac,
  createSecretKey,
}: NonNullable<typeof nodeCrypto>): Digests => ({
  macWith: (key) => {
    const secret = createSecretKey(bytesOf(key));
    return (text) => new Uint8Array(createHmac('sha256', secret).update(text).digest());
  },
  sha256Of: (text) => createHash('sha256').update(text).digest(),
});

export const { macWith, sha256Of } = nodeCrypto ? nodeDigests(nodeCrypto) : portableDigests;

/** Compares all bytes, so that the time of the comparison reveals nothing. */
export const areEqual = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length &&
  left.reduce((sum, byte, index) => sum | (byte ^ (right[index] ?? 0)), 0) === 0;
