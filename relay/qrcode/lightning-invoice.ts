/** Reads an invoice of the Lightning network (BOLT 11), with or without `lightning:`. */
import { bech32 } from '@scure/base';
import { shiftedAmount, type Reading } from './content.js';

/** The places that each unit moves the point of a bitcoin to the left. */
const PLACES: Readonly<Record<string, number>> = { '': 0, m: 3, u: 6, n: 9, p: 12 };

export function readLightningInvoice(text: string): Reading {
  const [, scheme, invoice = ''] = /^(lightning:(?:\/\/)?)?([^]*)$/i.exec(text) ?? [];
  // any other link of the scheme asks a server for the amount
  if (!/^ln(bc|tb|sb)/i.test(invoice)) return scheme === undefined ? null : 'broken';
  // the checksum refuses capitals beside small letters, and anything after the invoice
  const prefix = isBech32(invoice) ? bech32.decodeUnsafe(invoice, false)?.prefix : undefined;
  // `lntb`, `lnbcrt` and others are networks without money
  const [, amount, unit = ''] = /^lnbc(?:([1-9]\d*)([munp]?))?$/.exec(prefix ?? '') ?? [];
  if (prefix === undefined || !/^lnbc(\d|$)/.test(prefix)) return 'broken';
  const none = { payee: null, accounts: [], currency: 'BTC', network: 'bitcoin' };
  if (prefix === 'lnbc') return { ...none, amount: null, isTyped: true };
  const bitcoins = amount === undefined ? null : shiftedAmount(amount, PLACES[unit] ?? 0);
  return bitcoins === null ? 'broken' : { ...none, amount: bitcoins, isTyped: false };
}

const isBech32 = (text: string): text is `${string}1${string}` => /^\w+1\w+$/.test(text);
