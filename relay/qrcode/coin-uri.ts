/**
 * Reads the payment links of Bitcoin (BIP 21 and BIP 321) and of the coins that took them over:
 * `bitcoin:ADDRESS?amount=0.001&label=NAME`. Beside the address, or in its place, a link of Bitcoin
 * may have other ways to pay: `lightning=INVOICE`, `bc=ADDRESS`.
 */
import { isUint, MAX_UINT32, statedAmount, type Account, type Reading } from './content.js';
import { readLightningInvoice, readOffer } from './lightning.js';
import { readCoinLink } from './payment-uri.js';

/**
 * Each coin with the beginnings of its addresses; those of a test network have others. Checksums
 * are left to the wallet: the examples of BIP 21 itself have wrong ones.
 */
const COINS: ReadonlyMap<string, { currency: string; begins: RegExp }> = new Map([
  ['bitcoin', { currency: 'BTC', begins: /^([13]|bc1|BC1)/ }],
  ['litecoin', { currency: 'LTC', begins: /^([LM3]|ltc(mweb)?1|LTC(MWEB)?1)/ }],
  ['dogecoin', { currency: 'DOGE', begins: /^[DA9]/ }],
  ['ripple', { currency: 'XRP', begins: /^[rX]/ }],
]);
/** Of silent payments and Ark, which are longer than others. */
const LONG_ADDRESS = /^(sp|ark)1[a-z0-9]{50,250}$/i;
/** Fields with a further address: a wallet may prefer it to the address of the link. */
const ADDRESSES = ['bc', 'sp', 'ark'];
/** Fields that let a server, an offer, a mint or a test network be paid in place of an address. */
const DETOURS = ['pj', 'pay', 'tb', 'lnaddr', 'lno', 'creq'];
/**
 * Fields that can charge another amount than the link says: a payment request on a server, and the
 * token of another issuer.
 */
const HIDING = ['r', 'lnurl', 'issuer'];
/** The names of a tag of XRP: a wallet may read any of them, and knows them in lower case. */
const TAGS = ['dt', 'tag', 'dtag', 'destinationtag'];
/** Other names by which wallets of XRP read amount and token, and the network. */
const HIDING_XRP = ['amt', 'cur', 'iou', 'network'];
/**
 * What a wallet of XRP may find before the address of the link: another address, a transaction in
 * hexadecimal digits, a PayID such as `bean$pay.example`.
 */
const BEFORE_XRP_ADDRESS =
  /\?[^]*([rX][1-9A-HJ-NP-Za-km-z]{24}|[\dA-Fa-f]{68}|\w\$[\w-]+\.(\w+\.|[A-Za-z]))/;
const XRP_RULES = { inLowerCase: ['amount', ...TAGS], breaking: BEFORE_XRP_ADDRESS };
/** Ways to pay in bitcoin: an amount in another coin says nothing about them. */
const IN_BITCOIN = ['lightning', 'lno', 'creq', ...ADDRESSES];
/** Fields that a link may require, because a wallet that knows them charges the same. */
const KNOWN = ['amount', 'label', 'message', 'lightning', 'pj', 'pjos', 'pop', ...ADDRESSES];

export function readCoinUri(text: string): Reading {
  const scheme = /^([a-z]+):/i.exec(text)?.[1]?.toLowerCase() ?? '';
  const coin = COINS.get(scheme);
  if (coin === undefined) return null;
  const { begins, currency } = coin;
  const isXrp = scheme === 'ripple';
  const uri = readCoinLink(text, isXrp ? XRP_RULES : {});
  const fields = uri === 'broken' ? null : withoutRequired(uri.fields);
  if (uri === 'broken' || fields === null) return 'broken';
  if (HIDING.some((name) => fields.has(name))) return 'broken';
  if (scheme !== 'bitcoin' && IN_BITCOIN.some((name) => fields.has(name))) return 'broken';
  if (isXrp && HIDING_XRP.some((name) => fields.has(name))) return 'broken';
  if ((fields.get('currency') ?? currency).toUpperCase() !== currency) return 'broken';
  const address = uri.target.replace(/^\/\//, '');
  const valuesOf = (names: readonly string[]): string[] =>
    names.flatMap((name) => fields.get(name) || []);
  const addresses = [...(address === '' ? [] : [address]), ...valuesOf(ADDRESSES)];
  const isAddress = (address: string): boolean =>
    LONG_ADDRESS.test(address) || (/^[a-z0-9]{20,130}$/i.test(address) && begins.test(address));
  if (!addresses.every(isAddress)) return 'broken';
  const accounts = [...addresses, ...valuesOf(DETOURS)];
  const [tag, ...otherTags] = isXrp ? TAGS.flatMap((name) => fields.get(name) ?? []) : [];
  // wallets read an empty tag as 0, and drop one that is no number; an X-address has its own
  if (tag !== undefined && (!isUint(tag, MAX_UINT32) || address.startsWith('X'))) return 'broken';
  const tagged = (shared: string): Account => (tag === undefined ? shared : { shared, tag });
  const own = amountIn(fields);
  const invoice = invoiceIn(fields);
  const offer = valuesOf(['lno']).map(readOffer)[0] ?? null;
  if (own === 'broken' || invoice === 'broken' || offer === 'broken') return 'broken';
  const [amount = null, ...others] = new Set(
    [own, invoice?.amount ?? null, offer?.amount ?? null].filter((each) => each !== null),
  );
  const isLightning = valuesOf(['lightning', 'lno']).length > 0;
  // a wallet may pay in any of the ways
  if (others.length + otherTags.length > 0) return 'broken';
  if (addresses.length === 0 && !isLightning) return 'broken';
  return {
    payee: fields.get('label')?.trim() || null,
    // an invoice alone names no account, as where it is no link
    accounts: accounts.length === 0 ? [] : [...accounts, ...valuesOf(['lightning'])].map(tagged),
    amount,
    isTyped: amount === null,
    // an invoice or an offer may leave the amount to the customer, or state it for itself alone;
    // that of a mint is not read
    mayDiffer:
      invoice?.amount === null ||
      offer?.amount === null ||
      offer?.mayDiffer === true ||
      (own === null && addresses.length > 0) ||
      fields.has('creq'),
    currency,
    network: scheme,
  };
}

/**
 * The fields, each by its plain name.
 *
 * @returns null for a required field that is not known: a wallet must refuse it
 */
function withoutRequired(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> | null {
  const plain = new Map<string, string>();
  for (const [name, value] of fields) {
    const known = name.replace(/^req-/, '');
    if (plain.has(known) || (known !== name && !KNOWN.includes(known))) return null;
    plain.set(known, value);
  }
  return plain;
}

type Fields = ReadonlyMap<string, string>;

/** BIP 21 allows `.5` and `50.` */
const amountIn = (fields: Fields): string | 'broken' | null =>
  statedAmount(
    fields
      .get('amount')
      ?.replace(/^(?=\.\d)/, '0')
      .replace(/\.$/, ''),
  );

const invoiceIn = (fields: Fields): Reading => {
  const given = fields.get('lightning');
  return given === undefined ? null : (readLightningInvoice(given) ?? 'broken');
};
