/** Reads a payment of Stellar (SEP-7): `web+stellar:pay?destination=ACCOUNT&amount=10`. */
import { isUint, MAX_UINT64, statedAmount, type Reading } from './content.js';
import { isNameOfOther } from './paid-asset.js';
import { readCoinLink } from './payment-uri.js';

const DECIDING = [
  ...['destination', 'amount', 'asset_code', 'asset_issuer', 'network_passphrase'],
  ...['memo', 'memo_type'],
];
/** The longest text of a memo. */
const MAX_TEXT_BYTES = 28;
const NETWORK = 'Public Global Stellar Network ; September 2015';

export function readStellarUri(text: string): Reading {
  if (!/^web\+stellar:/i.test(text)) return null;
  const uri = readCoinLink(text, { inLowerCase: DECIDING });
  // `web+stellar:tx` asks for a signature under any transaction
  if (uri === 'broken' || uri.target !== 'pay') return 'broken';
  const account = uri.fields.get('destination') ?? '';
  const amount = statedAmount(uri.fields.get('amount'));
  if (account === '' || amount === 'broken') return 'broken';
  if ((uri.fields.get('network_passphrase') ?? NETWORK) !== NETWORK) return 'broken';
  const code = uri.fields.get('asset_code')?.toUpperCase() ?? 'XLM';
  const isToken = uri.fields.has('asset_issuer');
  if (code !== 'XLM' && !isToken) return 'broken';
  const tag = uri.fields.get('memo');
  if (tag !== undefined && !isMemo(tag, uri.fields.get('memo_type'))) return 'broken';
  return {
    payee: null,
    accounts: [tag === undefined ? account : { shared: account, tag }],
    amount,
    isTyped: amount === null,
    // a token with the name of a coin or a currency is another asset
    currency: isToken && isNameOfOther(code) ? null : code,
    network: 'stellar',
  };
}

/** Whether a payment can have the memo; a wallet may drop another one. A hash is not read. */
const isMemo = (memo: string, type = 'MEMO_TEXT'): boolean => {
  if (type === 'MEMO_ID') return isUint(memo, MAX_UINT64);
  return type !== 'MEMO_TEXT' || new TextEncoder().encode(memo).length <= MAX_TEXT_BYTES;
};
