/**
 * Reads the link of SBP, the Russian system of fast payments:
 * `https://qr.nspk.ru/ID?type=02&bank=…&sum=KOPECKS&cur=RUB&crc=…`. A bank's app opens the same
 * link with its own scheme before `://`.
 *
 * The `crc` is not checked, because its algorithm is not published.
 */
import { shiftedAmount, type Reading } from './content.js';
import { readPaymentUri } from './payment-uri.js';

const HOST = 'qr.nspk.ru';
const AUTHORITY = /^[a-z][a-z0-9+.-]*:[/\\]{2}([^/\\?#]*)/i;
const OF_NSPK = /(^|[@.])nspk\.ru\b/i;
/** The fields that every link of the system has, also one without a sum. */
const SIGNS = [/[?&;]type=\d\d(&|;|$)/i, /[?&;]bank=\d{12}(&|;|$)/i, /[?&;]crc=/i];

export function readSbpLink(text: string): Reading {
  const [, host = ''] = AUTHORITY.exec(text) ?? [];
  // a link with the signs of the form on another host imitates it
  if (!OF_NSPK.test(host) && !SIGNS.every((sign) => sign.test(text))) return null;
  const uri = readPaymentUri(text);
  if (uri === 'broken' || uri.scheme === 'http') return 'broken';
  const [, , named, path, ...more] = uri.target.split('/');
  // a port, a user or another script in the name would lead to another host
  if (named?.toLowerCase() !== HOST || more.length > 0 || !/^[0-9a-z]{1,64}$/i.test(path ?? ''))
    return 'broken';
  const sum = uri.fields.get('sum');
  const currency = uri.fields.get('cur')?.toUpperCase();
  const plain = { payee: null, accounts: [], currency: 'RUB' };
  if (sum === undefined) {
    if (currency !== undefined && currency !== 'RUB') return 'broken';
    // type 01 is a code for many payments; the amount of any other is kept by the system
    return { ...plain, amount: null, isTyped: uri.fields.get('type') === '01' };
  }
  const amount = /^[1-9]\d{0,17}$/.test(sum) ? shiftedAmount(sum, 2) : null;
  if (amount === null || currency !== 'RUB') return 'broken';
  return { ...plain, amount, isTyped: false };
}
