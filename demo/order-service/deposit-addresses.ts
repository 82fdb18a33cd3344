/** Deposit addresses: the same for a customer and currency every time, of the asset's usual shape, and no network's real one. */
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const HEX = '0123456789abcdef';

const shapes: Record<string, { prefix: string; alphabet: string; length: number; tagged?: boolean }> = {
  XRP: { prefix: 'r', alphabet: BASE58, length: 33, tagged: true },
  XLM: { prefix: 'G', alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length: 55, tagged: true },
  EOS: { prefix: 'sandbox', alphabet: 'abcdefghijklmnopqrstuvwxyz12345', length: 5, tagged: true },
  BTC: { prefix: 'bc1q', alphabet: BECH32, length: 38 },
  TRX: { prefix: 'T', alphabet: BASE58, length: 33 },
};
const other = { prefix: '0x', alphabet: HEX, length: 40, tagged: false };

export type Address = { currency: string; address: string; tag: string };

export function createAddresses(): { of(currency: string, customer: string): Address; knows(asked: Partial<Address>): boolean } {
  const given = new Map<string, Address>();
  return {
    of: (currency, customer) => {
      const key = `${currency} ${customer}`;
      const { prefix, alphabet, length, tagged = false } = shapes[currency] ?? other;
      const draw = generator(key);
      const address = prefix + Array.from({ length }, () => alphabet[draw() % alphabet.length]).join('');
      const made = { currency, address, tag: tagged ? String(draw() % 1_000_000_000) : '' };
      given.set(key, made);
      return made;
    },
    knows: ({ currency, address, tag = '' }) =>
      [...given.values()].some((known) => known.currency === currency && known.address === address && known.tag === tag),
  };
}

/** A small repeatable generator (FNV-1a, then xorshift): an address must not change between two calls. */
function generator(seed: string): () => number {
  let state = 0x811c9dc5;
  for (const char of seed) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}
