/**
 * Builds the payment URI of a deposit address. There is a URI only if the configuration sets
 * `uri_family`, the address is valid in that family, and the tag fits. A token such as USDT must
 * have no `uri_family`: a wallet would send the chain's own coin.
 */
import type { Config } from '../config/schema.js';
import { addressForm } from './address-form.js';

type Asset = Config['deposits'][number];

/** @returns null where a plain address is the only safe form */
export function paymentUri(
  { chain_id, memo_type, uri_family }: Asset,
  { address, tag }: { address: string; tag: string },
): string | null {
  if (!uri_family || addressForm(uri_family, address) !== 'sound') return null;
  switch (uri_family) {
    case 'ripple':
      return rippleUri(address, tag);
    case 'stellar':
      return stellarUri(address, tag, memo_type);
    case 'bitcoin':
    case 'litecoin':
    case 'dogecoin':
    case 'solana':
      // the scheme in lower case, which every wallet reads; the address may be in capitals
      return tag === '' ? `${uri_family}:${address}` : null;
    case 'ethereum':
      return tag === '' && chain_id !== undefined ? `ethereum:${address}@${chain_id}` : null;
    case 'tron':
      return null;
  }
}

/** `dt` is an unsigned 32-bit integer; 0 is valid. */
function rippleUri(address: string, tag: string): string | null {
  if (tag === '') return `ripple:${address}`;
  return /^(0|[1-9]\d{0,9})$/.test(tag) && Number(tag) <= 0xffffffff
    ? `ripple:${address}?dt=${tag}`
    : null;
}

/** SEP-7; MEMO_ID is an unsigned 64-bit integer, MEMO_TEXT has at most 28 bytes. */
function stellarUri(address: string, memo: string, type: Asset['memo_type']): string | null {
  const pay = `web+stellar:pay?destination=${address}`;
  if (memo === '') return pay;
  const fits =
    type === 'MEMO_ID'
      ? /^(0|[1-9]\d{0,19})$/.test(memo) && BigInt(memo) <= 0xffffffffffffffffn
      : type === 'MEMO_TEXT' && new TextEncoder().encode(memo).length <= 28;
  return fits ? `${pay}&memo=${encodeURIComponent(memo)}&memo_type=${type}` : null;
}
