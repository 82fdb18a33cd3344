/**
 * Builds the payment URI of a deposit address. There is a URI only if the configuration sets
 * `uri_family`, the address is valid in that family, and the tag fits. A token such as USDT has
 * none: a wallet would send the network's own coin.
 */
import type { DepositAsset } from '../config/deposit-assets.js';
import { paysWithCoin } from '../qrcode/check-code.js';
import { addressForm } from './address-form.js';
import { isTagOfFamily } from './tag-form.js';

type Deposit = { address: string; tag: string };

/** @returns null where a plain address is the only safe form */
export function paymentUri(asset: DepositAsset, deposit: Deposit): string | null {
  const uri = uriOf(asset, deposit);
  return uri !== null && paysWithCoin(uri, asset.currency) ? uri : null;
}

function uriOf(asset: DepositAsset, { address, tag }: Deposit): string | null {
  const { chain_id, memo_type, uri_family } = asset;
  if (!uri_family || addressForm(uri_family, address, chain_id) !== 'sound') return null;
  if (!isTagOfFamily(asset, tag)) return null;
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

const rippleUri = (address: string, tag: string): string =>
  tag === '' ? `ripple:${address}` : `ripple:${address}?dt=${tag}`;

/** SEP-7; a memo without a known type is in no URI. */
function stellarUri(address: string, memo: string, type: DepositAsset['memo_type']): string | null {
  const pay = `web+stellar:pay?destination=${address}`;
  if (memo === '') return pay;
  return type ? `${pay}&memo=${encodeURIComponent(memo)}&memo_type=${type}` : null;
}
