/** Whether the family of an asset can have a tag or memo: other tags lead to nobody's account. */
import type { AddressFamily, DepositAsset } from '../config/deposit-assets.js';
import { isUint, MAX_UINT32, MAX_UINT64 } from '../qrcode/content.js';

/** The longest MEMO_TEXT of SEP-7. */
const MAX_MEMO_BYTES = 28;
/** The longest memo of a chain whose rules the relay does not know. */
const MAX_TAG_BYTES = 256;

const hasBytes = (text: string, max: number): boolean =>
  new TextEncoder().encode(text).length <= max;

const isStellarMemo = (memo: string, type: DepositAsset['memo_type']): boolean => {
  if (type === 'MEMO_ID') return isUint(memo, MAX_UINT64);
  // a type that is not configured may also be MEMO_HASH: 32 bytes in hexadecimal digits
  const isHash = type === undefined && /^[0-9a-f]{64}$/i.test(memo);
  return isHash || hasBytes(memo, MAX_MEMO_BYTES);
};

/** Families whose transactions have no place for a tag. */
const TAGLESS: ReadonlySet<AddressFamily | undefined> = new Set<AddressFamily>([
  'bitcoin',
  'litecoin',
  'dogecoin',
  'ethereum',
]);

/** An empty tag means that the address needs none. */
export function isTagOfFamily({ memo_type, uri_family }: DepositAsset, tag: string): boolean {
  if (tag === '') return true;
  if (uri_family === 'ripple') return isUint(tag, MAX_UINT32);
  if (uri_family === 'stellar') return isStellarMemo(tag, memo_type);
  return !TAGLESS.has(uri_family) && hasBytes(tag, MAX_TAG_BYTES);
}
