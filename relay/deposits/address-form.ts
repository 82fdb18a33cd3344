/** Checks an address by its family: first the shape, then the checksum. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base32, base58, base58xrp, bech32, bech32m, createBase58check } from '@scure/base';
import type { AddressFamily } from '../config/deposit-assets.js';
import { crc16 } from '../qrcode/crc16.js';
import { SOLANA_ADDRESS } from '../qrcode/solana-uri.js';

/**
 * sound: shape and checksum are right. There is no checksum in a Solana address, or in an Ethereum
 * address whose letters are all in one case.
 *
 * corrupt: the family has no such address: the shape or the checksum is wrong, or the address
 * belongs to nobody, because its bytes are all zero. It must not be shown.
 *
 * unknown: another shape of the family, which is not checked here. The address is shown unchanged,
 * and never in a URI.
 */
export type AddressForm = 'sound' | 'corrupt' | 'unknown';

const base58check = createBase58check(sha256);
const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** False when `read` throws or returns false. */
const holds = (read: () => boolean): boolean => {
  try {
    return read();
  } catch {
    return false;
  }
};
/** Whether a key could belong to somebody: what is sent to a key of zeros is burnt. */
const isKey = (bytes: Uint8Array): boolean => bytes.some((byte) => byte !== 0);
const startsWith = (bytes: Uint8Array, versions: readonly number[], length: number): boolean =>
  bytes.length === length && versions.includes(bytes[0] ?? -1) && isKey(bytes.slice(1));

/** Base58 with four bytes of double SHA-256; `versions` are the first byte's legal values. */
const base58Form =
  (shape: RegExp, versions: readonly number[]) =>
  (address: string): AddressForm | null => {
    if (!shape.test(address)) return null;
    return holds(() => startsWith(base58check.decode(address), versions, 21)) ? 'sound' : 'corrupt';
  };

/** BIP 173 and BIP 350: witness version 0 uses bech32, all later versions bech32m. */
const segwitForm =
  (hrp: string) =>
  (address: string): AddressForm | null => {
    if (!new RegExp(`^${hrp}1[a-z0-9]{8,87}$`, 'i').test(address)) return null;
    const decoded = [bech32, bech32m].map((coder) => coder.decodeUnsafe(address, 90));
    const [first, later] = decoded.map((found) => (found?.prefix === hrp ? found.words : []));
    const isVersion0 = first?.[0] === 0;
    const words = isVersion0 ? first : (later ?? []);
    const version = words[0] ?? -1;
    if (!isVersion0 && (version < 1 || version > 16)) return 'corrupt';
    const program = bech32.fromWordsUnsafe(words.slice(1)) ?? Uint8Array.of();
    const { length } = program;
    const fits = isVersion0 ? length === 20 || length === 32 : length >= 2 && length <= 40;
    return fits && isKey(program) ? 'sound' : 'corrupt';
  };

function rippleForm(address: string): AddressForm | null {
  if (!new RegExp(`^r${BASE58}{24,34}$`).test(address)) return null;
  return holds(() => {
    const bytes = base58xrp.decode(address);
    const body = bytes.slice(0, -4);
    const sum = sha256(sha256(body)).slice(0, 4);
    return (
      startsWith(body, [0], 21) && sum.every((byte, index) => byte === bytes[body.length + index])
    );
  })
    ? 'sound'
    : 'corrupt';
}

/** Chains whose wallets write addresses by EIP-1191: the chain's number is hashed too. */
const EIP_1191_CHAINS: readonly (number | undefined)[] = [30, 31];

/**
 * EIP-55: a letter is upper case where the hash of the lower-case address has a digit of 8 or more.
 */
const ethereumSpelling = (lower: string, hashedPrefix: string): string => {
  const hash = keccak_256(new TextEncoder().encode(hashedPrefix + lower));
  return [...lower]
    .map((digit, index) =>
      (((hash[index >> 1] ?? 0) >> (index % 2 === 0 ? 4 : 0)) & 15) > 7
        ? digit.toUpperCase()
        : digit,
    )
    .join('');
};

function ethereumForm(address: string, chainId?: number): AddressForm | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return null;
  const digits = address.slice(2);
  const lower = digits.toLowerCase();
  if (/^0+$/.test(digits)) return 'corrupt';
  if (digits === lower || digits === digits.toUpperCase()) return 'sound';
  const prefixes = EIP_1191_CHAINS.includes(chainId) ? ['', `${chainId}0x`] : [''];
  return prefixes.some((prefix) => ethereumSpelling(lower, prefix) === digits)
    ? 'sound'
    : 'corrupt';
}

/** SEP-23: version 48 (G), 32 bytes, CRC-16/XMODEM in little endian. */
function stellarForm(address: string): AddressForm | null {
  if (!/^G[A-Z2-7]{55}$/.test(address)) return null;
  return holds(() => {
    const bytes = base32.decode(address);
    const body = bytes.slice(0, 33);
    const crc = crc16(body, 0);
    const hasCrc = bytes.length === 35 && bytes[33] === (crc & 255) && bytes[34] === crc >> 8;
    return hasCrc && startsWith(body, [48], 33);
  })
    ? 'sound'
    : 'corrupt';
}

const solanaForm = (address: string): AddressForm | null =>
  SOLANA_ADDRESS.test(address) &&
  holds(() => {
    const key = base58.decode(address);
    return key.length === 32 && isKey(key);
  })
    ? 'sound'
    : null;

/** A shape of the family that is not checked here. */
const otherForm =
  (shape: RegExp) =>
  (address: string): AddressForm | null =>
    shape.test(address) ? 'unknown' : null;

type Form = (address: string, chainId?: number) => AddressForm | null;

const families: Record<AddressFamily, readonly Form[]> = {
  bitcoin: [base58Form(new RegExp(`^[13]${BASE58}{25,34}$`), [0, 5]), segwitForm('bc')],
  litecoin: [
    base58Form(new RegExp(`^[LM3]${BASE58}{25,34}$`), [48, 50, 5]),
    segwitForm('ltc'),
    otherForm(/^ltcmweb1[a-z0-9]{50,150}$/),
  ],
  dogecoin: [base58Form(new RegExp(`^[DA9]${BASE58}{25,34}$`), [30, 22])],
  ethereum: [ethereumForm],
  solana: [solanaForm],
  // an X-address contains its tag
  ripple: [rippleForm, otherForm(new RegExp(`^X${BASE58}{46}$`))],
  // a multiplexed account contains its memo
  stellar: [stellarForm, otherForm(/^M[A-Z2-7]{68}$/)],
  tron: [base58Form(new RegExp(`^T${BASE58}{33}$`), [65])],
};

/** @param chainId the chain of the ethereum family, where it is known */
export function addressForm(family: AddressFamily, address: string, chainId?: number): AddressForm {
  for (const form of families[family]) {
    const found = form(address, chainId);
    if (found) return found;
  }
  return 'corrupt';
}
