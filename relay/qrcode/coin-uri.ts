/**
 * Reads the payment links of Bitcoin (BIP 21 and BIP 321) and of the coins that took them over:
 * `bitcoin:ADDRESS?amount=0.001&label=NAME`.
 */
import { plainAmount, type Reading } from './content.js';
import { readLightningInvoice } from './lightning-invoice.js';
import { readPaymentUri } from './payment-uri.js';

const COINS: Readonly<Record<string, string>> = {
  bitcoin: 'BTC',
  litecoin: 'LTC',
  dogecoin: 'DOGE',
  ripple: 'XRP',
};
/**
 * Fields that can charge another amount than the link says: a payment request on a server, and an
 * offer of the Lightning network.
 */
const HIDING = ['r', 'lno'];

export function readCoinUri(text: string): Reading {
  const [, scheme = ''] = /^([a-z]+):/i.exec(text) ?? [];
  const currency = COINS[scheme.toLowerCase()];
  if (currency === undefined) return null;
  const uri = readPaymentUri(text);
  if (uri === 'broken') return 'broken';
  const { fields } = uri;
  // a wallet must refuse a required field that it does not know
  const isStrange = [...fields.keys()].some((name) => /^req-/.test(name) || HIDING.includes(name));
  const address = uri.target.replace(/^\/\//, '');
  const invoice = fields.get('lightning');
  const hasPayee = address === '' ? invoice !== undefined : /^[a-z0-9]{20,120}$/i.test(address);
  if (isStrange || !hasPayee) return 'broken';
  const given = fields.get('amount');
  const amount = given === undefined ? null : plainAmount(given);
  if (given !== undefined && amount === null) return 'broken';
  const own = {
    payee: fields.get('label')?.trim() || null,
    accounts: address === '' ? [] : [address],
    amount,
    isTyped: amount === null,
    currency,
  };
  if (invoice === undefined) return own;
  const other = readLightningInvoice(invoice);
  if (other === null || other === 'broken') return 'broken';
  // a wallet may pay either of the two
  if (address === '') return given === undefined ? { ...other, payee: own.payee } : 'broken';
  return other.amount === null || other.amount === amount ? own : 'broken';
}
