/** Reads a payment of Stellar (SEP-7): `web+stellar:pay?destination=ACCOUNT&amount=10`. */
import { plainAmount, type Reading } from './content.js';
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
    currency: uri.fields.has('asset_code') ? null : 'XLM',
  };
}
