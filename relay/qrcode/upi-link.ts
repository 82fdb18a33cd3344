/** Reads India's UPI link, `upi://pay?pa=ACCOUNT&pn=NAME&am=AMOUNT&cu=INR`. */
import { plainAmount, statedAmount, type Reading } from './content.js';
import { readPaymentUri } from './payment-uri.js';

/**
 * The apps have schemes of their own, such as `phonepe://pay` and `tez://upi/pay`. A web page may
 * have a field `pa` too.
 */
const OF_AN_APP = /^(?!https?:)[a-z][a-z0-9+.-]*:/i;
/** The fields that decide the payment. */
const PAYMENT = ['pa', 'am', 'mam', 'cu', 'entips', 'split'];
/** Some apps write one of these for no minimum. An amount of 0 is broken. */
const NO_MINIMUM = /^(null|0+(\.0*)?)?$/i;

const withoutEscapes = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
/** An app's link is of this form as soon as it names an account. */
const looksLikeUpi = (text: string): boolean =>
  OF_AN_APP.test(text) &&
  text.split(/[?&;]/).some((part, index) => index > 0 && /^pa=.*@/i.test(withoutEscapes(part)));

export function readUpiLink(text: string): Reading {
  if (!/^upi:/i.test(text) && !looksLikeUpi(text)) return null;
  // many shops write notes and names that are not escaped
  const uri = readPaymentUri(text, {
    mayRepeat: (name) => name !== 'pn' && !PAYMENT.includes(name),
    mayBeOdd: (name) => !PAYMENT.includes(name),
    inLowerCase: ['pa', 'am', 'mam', 'cu'],
  });
  // Android's `intent:` names another app, and may name a page to open in its place
  if (uri === 'broken' || uri.scheme === 'intent') return 'broken';
  // `upi://mandate` would take money again and again
  if (!/^\/\/((upi\/)?pay\/?|cash_wallet)$/i.test(uri.target)) return 'broken';
  const account = uri.fields.get('pa') ?? '';
  if (!/^[^@\s]+@[^@\s]+$/.test(account)) return 'broken';
  const amount = statedAmount(uri.fields.get('am') || undefined);
  if (amount === 'broken') return 'broken';
  const minimumText = uri.fields.get('mam') ?? '';
  if (!NO_MINIMUM.test(minimumText)) {
    const minimum = plainAmount(minimumText);
    // another minimum lets the customer change the amount
    if (minimum === null || minimum !== amount) return 'broken';
  }
  return {
    payee: uri.fields.get('pn')?.trim() || null,
    accounts: [account],
    amount,
    isTyped: amount === null,
    // a tip that the customer is asked for, or a fee that is added
    mayDiffer: /^y/i.test(uri.fields.get('entips') ?? '') || uri.fields.has('split'),
    currency: uri.fields.get('cu')?.toUpperCase() || 'INR',
  };
}
