/**
 * Synchronous WebCrypto. The real WebCrypto works in other threads, and no seed can repeat the
 * order of their answers. Only the functions that the relay uses are here; other uses throw.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Random } from '../chance.js';

type Bytes = ArrayBuffer | ArrayBufferView;

class SyncKey {
  readonly type = 'secret';
  readonly extractable = false;
  readonly algorithm = { name: 'HMAC', hash: { name: 'SHA-256' } };
  readonly [Symbol.toStringTag] = 'CryptoKey';
  readonly bytes: Uint8Array;
  readonly usages: readonly string[];
  constructor(bytes: Uint8Array, usages: readonly string[]) {
    this.bytes = bytes;
    this.usages = usages;
  }
}

const view = (data: Bytes): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

const macOf = (key: SyncKey, data: Bytes): Uint8Array =>
  new Uint8Array(createHmac('sha256', key.bytes).update(view(data)).digest());

const subtle = {
  importKey: async (
    format: string,
    data: Bytes,
    _algorithm: unknown,
    _extractable: boolean,
    usages: readonly string[],
  ): Promise<SyncKey> => {
    if (format !== 'raw') throw new Error(`the simulation imports no ${format} key`);
    return new SyncKey(view(data).slice(), usages);
  },
  sign: async (_algorithm: unknown, key: SyncKey, data: Bytes): Promise<Uint8Array> =>
    macOf(key, data),
  verify: async (_algorithm: unknown, key: SyncKey, mac: Bytes, data: Bytes): Promise<boolean> => {
    const [received, right] = [view(mac), macOf(key, data)];
    return received.length === right.length && timingSafeEqual(received, right);
  },
  digest: async (_algorithm: unknown, data: Bytes): Promise<Uint8Array> =>
    new Uint8Array(createHash('sha256').update(view(data)).digest()),
};

/** @param random gives the identifiers and keys that the relay makes */
export const syncCrypto = (random: Random): object => ({
  subtle,
  randomUUID: () => random.uuid(),
  getRandomValues: <T extends Uint8Array>(bytes: T): T => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = random.whole(256);
    return bytes;
  },
});
