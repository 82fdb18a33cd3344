/**
 * Deposit addresses. A customer and currency always get the same address; it has the valid form of
 * its network, but belongs to nobody.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { base32, base58, base58xrp, bech32, createBase58check, hex } from '@scure/base';
import { crc16 } from '../qrcode/crc16.js';

const base58check = createBase58check(sha256);
const join = (...parts: (Uint8Array | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** Address makers by currency. The seed has 32 bytes, derived from customer and currency. */
const makers: Record<string, { tagged?: boolean; address: (seed: Uint8Array) => string }> = {
  XRP: {
    tagged: true,
    address: (seed) => {
      const body = join([0], seed.slice(0, 20));
      return base58xrp.encode(join(body, sha256(sha256(body)).slice(0, 4)));
    },
  },
  XLM: {
    tagged: true,
    address: (seed) => {
      const body = join([48], seed);
      const crc = crc16(body, 0);
      return base32.encode(join(body, [crc & 255, crc >> 8]));
    },
  },
  EOS: {
    tagged: true,
    address: (seed) =>
      `sandbox${base32.encode(seed).toLowerCase().replace(/[67]/g, 'a').slice(0, 5)}`,
  },
  BTC: { address: (seed) => bech32.encode('bc', [0, ...bech32.toWords(seed.slice(0, 20))]) },
  TRX: { address: (seed) => base58check.encode(join([65], seed.slice(0, 20))) },
  SOL: { address: (seed) => base58.encode(seed) },
};
const other = {
  tagged: false,
  address: (seed: Uint8Array): string => `0x${hex.encode(seed.slice(0, 20))}`,
};

export type Address = { currency: string; address: string; tag: string };

export function createAddresses(): {
  of(currency: string, customer: string): Address;
  knows(asked: Partial<Address>): boolean;
} {
  const given = new Map<string, Address>();
  return {
    of: (currency, customer) => {
      const key = `${currency} ${customer}`;
      const seed = sha256(new TextEncoder().encode(`sandbox ${key}`));
      const { address, tagged = false } = makers[currency] ?? other;
      const tag = tagged
        ? String(new DataView(seed.buffer, seed.byteOffset).getUint32(0) % 1_000_000_000)
        : '';
      const made = { currency, address: address(seed), tag };
      given.set(key, made);
      return made;
    },
    knows: ({ currency, address, tag = '' }) =>
      [...given.values()].some(
        (known) => known.currency === currency && known.address === address && known.tag === tag,
      ),
  };
}
