/**
 * Makes deposit addresses. A customer and a currency always get the same address. It has the valid
 * form of its network, but belongs to nobody.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { base32, base58, base58xrp, bech32, createBase58check, hex } from '@scure/base';
import { crc16 } from '../qrcode/crc16.js';
import { coinOf } from '../qrcode/paid-asset.js';

const base58check = createBase58check(sha256);
const join = (...parts: (Uint8Array | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** The first byte of an address says what it is. */
const XRP_ACCOUNT = 0;
const XLM_PUBLIC_KEY = 48;
const TRX_ACCOUNT = 65;
const LTC_KEY_HASH = 48;
const DOGE_KEY_HASH = 30;
const SEGWIT_VERSION = 0;
const ADDRESS_BYTES = 20;
const XRP_CHECKSUM_BYTES = 4;
/** A name of EOS has twelve characters, of a to z and 1 to 5. */
const EOS_NAME = { prefix: 'sandbox', randomCharacters: 5 };
/** Every tag is below this number. */
const TAG_LIMIT = 1_000_000_000;

const keyHash =
  (version: number) =>
  (seed: Uint8Array): string =>
    base58check.encode(join([version], seed.slice(0, ADDRESS_BYTES)));

/**
 * How an address is made, by the coin of its network. The seed has 32 bytes, made of customer and
 * currency.
 */
const makers: Record<string, { tagged?: boolean; address: (seed: Uint8Array) => string }> = {
  XRP: {
    tagged: true,
    address: (seed) => {
      const body = join([XRP_ACCOUNT], seed.slice(0, ADDRESS_BYTES));
      const checksum = sha256(sha256(body)).slice(0, XRP_CHECKSUM_BYTES);
      return base58xrp.encode(join(body, checksum));
    },
  },
  XLM: {
    tagged: true,
    address: (seed) => {
      const body = join([XLM_PUBLIC_KEY], seed);
      const crc = crc16(body, 0);
      return base32.encode(join(body, [crc & 255, crc >> 8]));
    },
  },
  EOS: {
    tagged: true,
    address: (seed) => {
      const letters = base32.encode(seed).toLowerCase().replace(/[67]/g, 'a');
      return EOS_NAME.prefix + letters.slice(0, EOS_NAME.randomCharacters);
    },
  },
  BTC: {
    address: (seed) => {
      const words = bech32.toWords(seed.slice(0, ADDRESS_BYTES));
      return bech32.encode('bc', [SEGWIT_VERSION, ...words]);
    },
  },
  TRX: { address: keyHash(TRX_ACCOUNT) },
  LTC: { address: keyHash(LTC_KEY_HASH) },
  DOGE: { address: keyHash(DOGE_KEY_HASH) },
  SOL: { address: (seed) => base58.encode(seed) },
};
/** Any other currency gets an address of Ethereum's form. */
const ethereumLike = {
  tagged: false,
  address: (seed: Uint8Array): string => `0x${hex.encode(seed.slice(0, ADDRESS_BYTES))}`,
};

function makerOf(currency: string): (typeof makers)[string] {
  const name = coinOf(currency);
  return (Object.hasOwn(makers, name) && makers[name]) || ethereumLike;
}

type Address = { currency: string; address: string; tag: string };

export function createAddresses(): {
  of(currency: string, customer: string): Address;
  /** Whether the sandbox has made this address, with this tag, for anybody. */
  knows(address: Partial<Address>): boolean;
} {
  const madeAddresses = new Map<string, Address>();
  return {
    of: (currency, customer) => {
      const key = `${currency} ${customer}`;
      const seed = sha256(new TextEncoder().encode(`sandbox ${key}`));
      const { address, tagged = false } = makerOf(currency);
      const tag = tagged
        ? String(new DataView(seed.buffer, seed.byteOffset).getUint32(0) % TAG_LIMIT)
        : '';
      const created = { currency, address: address(seed), tag };
      madeAddresses.set(key, created);
      return created;
    },
    knows: ({ currency, address, tag = '' }) =>
      [...madeAddresses.values()].some(
        (known) => known.currency === currency && known.address === address && known.tag === tag,
      ),
  };
}
