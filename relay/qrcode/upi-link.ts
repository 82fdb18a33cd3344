/** Reads India's UPI link, `upi://pay?pa=ACCOUNT&pn=NAME&am=AMOUNT&cu=INR`. */
import { plainAmount, type Reading } from './content.js';
import { readPaymentUri } from './payment-uri.js';

/** The apps have schemes of their own, such as `phonepe://pay` and `tez://upi/pay`. */
const OF_AN_APP = /^(?!https?:)[a-z][a-z0-9+.-]*:/i;
/** The fields that decide the payment. */
const PAYMENT = ['pa', 'am', 'mam', 'cu'];
const hasSigns = (text: string): boolean =>
  OF_AN_APP.test(text) && /[?&;]pa=/i.test(text) && /[?&;](am|cu|pn)=/i.test(text);

export function readUpiLink(text: string): Reading {
  if (!/^upi:/i.test(text) && !hasSigns(text)) return null;
  // many shops write notes and names that are not escaped
  const uri = readPaymentUri(text, {
    mayRepeat: (name) => name !== 'pn' && !PAYMENT.includes(name),
    mayBeOdd: (name) => !PAYMENT.includes(name),
  });
  if (uri === 'broken' || uri.scheme === 'intent') return 'broken';
  // `upi://mandate` would take money again and again
  if (!/^\/\/(upi\/)?pay\/?$/i.test(uri.target)) return 'broken';
  const account = uri.fields.get('pa') ?? '';
  if (!/^[^@\s]+@[^@\s]+$/.test(account)) return 'broken';
  const given = uri.fields.get('am') ?? '';
  const amount = given === '' ? null : plainAmount(given);
  if (given !== '' && amount === null) return 'broken';
  // another minimum lets the customer change the amount; many apps write 0 for none
  const least = uri.fields.get('mam') ?? '';
  if (!/^(null|0+(\.0*)?)?$/.test(least) && plainAmount(least) !== amount) return 'broken';
  return {
    payee: uri.fields.get('pn')?.trim() || null,
    accounts: [account],
    amount,
    isTyped: amount === null,
    currency: uri.fields.get('cu')?.toUpperCase() || 'INR',
  };
}
