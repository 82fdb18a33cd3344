/** Reads a payment of Stellar (SEP-7): `web+stellar:pay?destination=ACCOUNT&amount=10`. */
import { plainAmount, type Reading } from './content.js';
import { isNameOfOther } from './paid-asset.js';
import { readPaymentUri } from './payment-uri.js';

export function readStellarUri(text: string): Reading {
  if (!/^web\+stellar:/i.test(text)) return null;
  const uri = readPaymentUri(text);
  // `web+stellar:tx` asks for a signature under any transaction
  if (uri === 'broken' || uri.target !== 'pay') return 'broken';
  const account = uri.fields.get('destination') ?? '';
  const given = uri.fields.get('amount');
  const amount = given === undefined ? null : plainAmount(given);
  if (account === '' || (given !== undefined && amount === null)) return 'broken';
  return {
    payee: null,
    accounts: [account],
    amount,
    isTyped: amount === null,
    currency: assetIn(uri.fields),
  };
}

/** @returns null for a token with the name of a coin or a currency: it is another asset */
function assetIn(fields: ReadonlyMap<string, string>): string | null {
  const name = fields.get('asset_code')?.toUpperCase() ?? 'XLM';
  if (name === 'XLM' && !fields.has('asset_issuer')) return 'XLM';
  return isNameOfOther(name) ? null : name;
}
