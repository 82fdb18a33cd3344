/** Reads invoices (BOLT 11) and offers (BOLT 12, from `lno1` on) of the Lightning network. */
import { bech32, hex } from '@scure/base';
import { shiftedAmount, type Reading } from './content.js';

/** The places that each unit moves the point of a bitcoin to the left. */
const PLACES: Readonly<Record<string, number>> = { '': 0, m: 3, u: 6, n: 9, p: 12 };

/** Reads an invoice, with or without `lightning:`. */
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

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
/** The types of an offer's records. */
const CHAINS = 2;
const CURRENCY = 6;
const AMOUNT = 8;
const MAX_QUANTITY = 20;
/** The hash of bitcoin's first block, which names it among the networks of an offer. */
const BITCOIN = '6fe28c0ab6f1b372c1a6a246ae63f74f931e8365e15a089c68d6190000000000';
const MILLISATOSHI_PLACES = 11;
/** An offer may be written in several parts, with this between them. */
const JOINT = /(?<=[a-z0-9])\+\s*(?=[a-z0-9])/gi;

/** Reads an offer by itself, with or without `lightning:`. */
export function readLightningOffer(text: string): Reading {
  const [, offer] = /^(?:lightning:(?:\/\/)?)?(lno1[^]*)$/i.exec(text.replaceAll(JOINT, '')) ?? [];
  if (offer === undefined) return null;
  const read = readOffer(offer);
  if (read === 'broken') return 'broken';
  const none = { payee: null, currency: 'BTC', network: 'bitcoin' };
  return { ...none, ...read, accounts: [offer], isTyped: read.amount === null };
}

/**
 * @returns the amount in bitcoin, or null where the customer chooses it; `broken` for another
 * currency or network too
 */
export function readOffer(text: string): { amount: string | null; mayDiffer: boolean } | 'broken' {
  const records = recordsIn(text);
  const { [CHAINS]: chains, [AMOUNT]: given, [MAX_QUANTITY]: pieces } = records ?? {};
  const isOfBitcoin = !chains || hex.encode(chains).match(/.{64}/g)?.includes(BITCOIN);
  if (records === null || records[CURRENCY] || !isOfBitcoin) return 'broken';
  const amount = given ? bitcoinsOf(given) : null;
  if (amount === 'broken') return 'broken';
  // the customer chooses the number of pieces, each of which has the amount
  return { amount, mayDiffer: pieces !== undefined && wholeOf(pieces) !== 1n };
}

type Records = Partial<Record<number, Uint8Array>>;

/** The records by their types, whose numbers only grow; null when they are cut or out of order. */
function recordsIn(text: string): Records | null {
  const [, data] = /^lno1([a-z0-9]+)$/.exec(text.toLowerCase()) ?? [];
  const bytes = bech32.fromWordsUnsafe(Array.from(data ?? '', (sign) => ALPHABET.indexOf(sign)));
  if (data === undefined || !bytes) return null;
  const records: Records = {};
  let last = -1;
  for (let at = 0; at < bytes.length;) {
    const type = sizeAt(bytes, at);
    const length = sizeAt(bytes, type.end);
    const end = length.end + length.value;
    if (!(end <= bytes.length) || type.value <= last) return null;
    records[type.value] = bytes.subarray(length.end, end);
    last = type.value;
    at = end;
  }
  return records;
}

type Size = { value: number; end: number };

/** A number of one byte, or of the two, four or eight bytes behind 253, 254 or 255. */
function sizeAt(bytes: Uint8Array, at: number): Size {
  const first = bytes[at] ?? NaN;
  const more = [2, 4, 8][first - 253] ?? 0;
  const end = at + 1 + more;
  return { value: more === 0 ? first : Number(wholeOf(bytes.subarray(at + 1, end))), end };
}

const wholeOf = (bytes: Uint8Array): bigint =>
  bytes.reduce((whole, byte) => (whole << 8n) | BigInt(byte), 0n);

const bitcoinsOf = (bytes: Uint8Array): string | 'broken' =>
  shiftedAmount(String(wholeOf(bytes)), MILLISATOSHI_PLACES) ?? 'broken';
