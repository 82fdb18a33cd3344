/**
 * Compares a QR code or a payment link with what its order charges, and with whom it may pay.
 *
 * It cannot detect another account under a listed name, or the payee of a form that names none:
 * only the customer's app knows who owns an account.
 */
import { compareDecimals } from '../contract/decimal.js';
import type { CodeAmount } from '../contract/order.js';
import { isPageText } from '../contract/visible-text.js';
import { readCoinUri } from './coin-uri.js';
import { shiftedAmount, type Account, type Content, type Reader, type Reading } from './content.js';
import { readEpcCode } from './epc-code.js';
import { readEthereumUri } from './ethereum-uri.js';
import { readLightningInvoice, readLightningOffer } from './lightning.js';
import { withoutMargins } from './margins.js';
import { readMerchantCode } from './merchant-code.js';
import { currencyNumber } from './currency-number.js';
import {
  assetOf,
  isExchanged,
  isPaidOn,
  isUnnamed,
  mayBeCoin,
  mayBeToken,
  mayMean,
} from './paid-asset.js';
import { readRaastCode } from './raast-code.js';
import { readSbpLink } from './sbp-link.js';
import { readSolanaUri } from './solana-uri.js';
import { readStellarUri } from './stellar-uri.js';
import { readSwissBill } from './swiss-bill.js';
import { readUpiLink } from './upi-link.js';

/** What the order charges. */
export type Charge = {
  amount: string;
  currency: string;
  /** The currency that the customer pays in; where it differs, the code's amount is not known. */
  payCurrency: string;
};

export type CodeRules = {
  /** `required`: shown only when the code proves its amount, or pays a listed payee. */
  readonly check: 'required' | 'when_known';
  /** Names, or accounts after `account:`; where the list is empty, anybody may be paid. */
  readonly payees: readonly string[];
  /** The only token that codes may pay with, which is the option's `pay_currency`. */
  readonly token?: { readonly contract: string; readonly decimals: number } | undefined;
};

export const noCodeRules: CodeRules = { check: 'when_known', payees: [] };

/**
 * `unknown`: of no known form, so nothing was checked; it may be shown.
 *
 * `right`: it may be shown. `payee`: the name in it; null when there is no legible name.
 *
 * `wrong`: it is broken, charges something else, or a required check is not possible. `codeAmount`:
 * what it charges, as far as that can be read.
 *
 * `another_payee`: it pays nobody of the list. `payee`: whom it pays instead.
 */
export type CheckedCode =
  | { readonly verdict: 'unknown' }
  | { readonly verdict: 'wrong'; readonly codeAmount: CodeAmount | null }
  | { readonly verdict: 'another_payee'; readonly payee: string | null }
  | {
      readonly verdict: 'right';
      readonly payee: string | null;
      readonly codeAmount: CodeAmount | null;
    };

const READERS: readonly Reader[] = [
  readRaastCode,
  readMerchantCode,
  readSbpLink,
  readUpiLink,
  readEpcCode,
  readSwissBill,
  readLightningOffer,
  readLightningInvoice,
  readCoinUri,
  readEthereumUri,
  readSolanaUri,
  readStellarUri,
];

/**
 * Characters that a customer's app may ignore: a code in UTF-16 has one beside each character.
 * Lines and the joiners of some scripts are no sign of that.
 */
const HIDDEN = /(?![\r\n\u200c\u200d])[\p{Cc}\p{Cf}]/u;

export function checkCode(text: string, charge: Charge, rules: CodeRules): CheckedCode {
  const found = read(withoutMargins(text), rules);
  const content = isContent(found) ? withKnownToken(found, charge, rules) : found;
  if (content === 'broken') return { verdict: 'wrong', codeAmount: null };
  if (content === null)
    return rules.check === 'required'
      ? { verdict: 'wrong', codeAmount: null }
      : { verdict: 'unknown' };
  const compared = mayPayWith(content, charge, rules) ? compare(content, charge) : 'different';
  if (compared === 'different') return { verdict: 'wrong', codeAmount: stated(content) };
  const payee = legible(content.payee);
  if (!mayPay(content, rules)) {
    const [account] = content.accounts;
    return { verdict: 'another_payee', payee: payee ?? (account ? inWords(account) : null) };
  }
  if (rules.check === 'required' && compared === 'unproven' && rules.payees.length === 0)
    return { verdict: 'wrong', codeAmount: stated(content) };
  return { verdict: 'right', payee, codeAmount: shown(content, charge) };
}

/** Whether a link pays with this asset, as the coin of its network, and not with another. */
export function paysWithCoin(link: string, payCurrency: string): boolean {
  const content = read(link, noCodeRules);
  if (!isContent(content) || content.currency !== assetOf(payCurrency)) return false;
  return mayPayWith(content, { payCurrency }, noCodeRules);
}

function read(code: string, rules: CodeRules): Reading {
  for (const reader of READERS) {
    const content = reader(code);
    if (content === 'broken') return content;
    if (content === null) continue;
    const isHiding = reader === readMerchantCode ? hidesPayee(content, rules) : HIDDEN.test(code);
    return isHiding ? 'broken' : content;
  }
  return HIDDEN.test(code) ? 'broken' : null;
}

const isContent = (reading: Reading): reading is Content =>
  reading !== null && reading !== 'broken';

/** Adds what the configuration knows of a token. A transfer of another token is wrong. */
function withKnownToken(
  content: Content,
  { payCurrency }: Charge,
  { token: known }: CodeRules,
): Reading {
  const { token } = content;
  if (!token || !known) return content;
  if (token.contract !== asContract(known.contract)) return 'broken';
  const { units } = token;
  const amount = units === null ? content.amount : shiftedAmount(units, known.decimals);
  return units !== null && amount === null
    ? 'broken'
    : { ...content, amount, currency: assetOf(payCurrency) };
}

/** An address of Ethereum is the same in any case; it is on the main network by default. */
const asContract = (text: string): string =>
  /^0x/i.test(text) ? text.toLowerCase().replace(/^0x[^@]*$/, '$&@1') : text;

/**
 * A merchant's code that names no account says who is paid where nothing is compared with the list.
 * Its names may have any character: they are shown only when legible.
 */
const hidesPayee = ({ accounts }: Content, { payees }: CodeRules): boolean =>
  payees.length > 0 && accounts.length === 0;

/** Whether the order can be paid with what the code pays with. */
function mayPayWith(
  { currency, network, token }: Content,
  { payCurrency }: Pick<Charge, 'payCurrency'>,
  rules: CodeRules,
): boolean {
  // beside the configured token, only a bank's code may be the way to it
  if (rules.token && !token && currencyNumber(currency ?? '') === undefined) return false;
  if (network !== undefined && !isPaidOn(payCurrency, network)) return false;
  if (currency === null) return token ? mayBeToken(payCurrency) : mayBeCoin(payCurrency);
  return mayMean(payCurrency, currency) || isExchanged(currency, assetOf(payCurrency));
}

/**
 * An amount in the order's own currency is compared even when the customer pays in a crypto asset.
 * `unproven`: the code states no amount that can be compared with the order's, or none that holds.
 */
function compare(
  { amount, currency, isTyped, mayDiffer }: Content,
  charge: Charge,
): 'same' | 'different' | 'unproven' {
  const isOwn = mayMean(charge.currency, currency ?? assetOf(charge.payCurrency));
  // nobody tells the customer how much to type in another currency
  if (isTyped && !isOwn) return 'different';
  if (amount === null || currency === null || !isOwn) return 'unproven';
  if (compareDecimals(amount, charge.amount) !== 0) return 'different';
  return mayDiffer === true || currency !== assetOf(charge.currency) ? 'unproven' : 'same';
}

/** What a refused code charges, for the person who decides about its order. */
function stated({ amount, currency, isTyped }: Content): CodeAmount | null {
  if (currency === null || isUnnamed(currency)) return null;
  if (amount !== null) return { amount, currency };
  return isTyped ? { currency } : null;
}

function shown({ amount, currency, isTyped }: Content, charge: Charge): CodeAmount | null {
  if (isTyped) return { currency: charge.currency };
  if (amount === null || currency === null || isUnnamed(currency)) return null;
  return currency === assetOf(charge.currency) ? null : { amount, currency };
}

function mayPay({ accounts, payee }: Content, { check, payees }: CodeRules): boolean {
  if (payees.length === 0) return true;
  const listed = payees.flatMap((entry) => (ACCOUNT.test(entry) ? [accountOf(entry)] : []));
  // anybody can write a name into a code, so an account decides where both are listed
  if (listed.length > 0 && accounts.length > 0)
    return accounts.every((account) => listed.some((entry) => isNamedBy(account, entry)));
  const names = payees.flatMap((entry) => (ACCOUNT.test(entry) ? [] : [asName(entry)]));
  if (payee !== null) return names.includes(asName(payee));
  // a code that leaves the name out still pays its account
  return accounts.length === 0 && check === 'when_known';
}

/** Whether an entry of the list names an account, alone or with its tag. */
function isNamedBy(account: Account, entry: string): boolean {
  if (typeof account === 'string') return asAccount(account) === asAccount(entry);
  if ('exact' in account) return account.exact === entry;
  const end = `/${account.tag}`;
  return (
    isNamedBy(account.shared, entry) ||
    (entry.endsWith(end) && isNamedBy(account.shared, entry.slice(0, -end.length)))
  );
}

const inWords = (account: Account): string => {
  if (typeof account === 'string') return account;
  return 'exact' in account ? account.exact : `${account.shared}/${account.tag}`;
};

const ACCOUNT = /^\s*account:/i;
/** An entry of the list: `ADDRESS` or `ADDRESS/TAG`. */
const accountOf = (entry: string): string =>
  entry
    .replace(ACCOUNT, '')
    .trim()
    .replace(/\s*\/\s*(?=[^/]*$)/, '/');
/** In capitals first: `ß` becomes `ss`. The dot of `İ` stays behind when it becomes small. */
const asName = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .trim()
    .replace(/\s+/g, ' ')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('i\u0307', 'i');
/** In these forms case and spaces mean nothing, or a checksum finds a change of them. */
const asAccount = (account: string): string => account.replace(/\s+/g, '').toLowerCase();

/**
 * The payee's name as a page may show it. One with invisible or bidirectional characters is
 * withheld: it would look like another name.
 */
const legible = (name: string | null): string | null =>
  name === null || /[\n\t]/.test(name) || !isPageText(name) ? null : name;
