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
const PLACE = /^[a-z][a-z0-9+.-]*:[/\\]{2}([^/\\?#]*)([^?#]*)/i;
/** The name of the system in a host, also in letters of other scripts that look the same. */
const NAME = /(?:^|[^a-z]|qr)[nпո][sѕꜱ][pрρ][kкκ]/iu;
/** A name in another script, as it is written or as it is sent. */
const OF_OTHER_SCRIPT = /[^\0-\x7f]|(^|\.)xn--/i;
/** The identifier of a code: `AD` for one payment, `AS` for many, and others. */
const PATH = /^[/\\][abc][ds]\d[0-9a-z]*[/\\]?$/i;
/** The fields that every link of the system has, also one without a sum. */
const SIGNS = [/[?&;]type=\d\d(&|;|$)/i, /[?&;]bank=\d{12}(&|;|$)/i, /[?&;]crc=/i];
const SUM_IN_ROUBLES = [/[?&;]sum=/i, /[?&;]cur=rub(&|;|$)/i];

/** Whether a link is of the system, or imitates it on another host. */
function looksLikeSbp(text: string): boolean {
  const [, host = '', path = ''] = PLACE.exec(text) ?? [];
  const has = (signs: readonly RegExp[]): boolean => signs.every((sign) => sign.test(text));
  // a payment page of a shop may have a sum in roubles too, but not such a path
  return (
    NAME.test(host.normalize('NFKC')) ||
    has(SIGNS) ||
    (PATH.test(path) && (OF_OTHER_SCRIPT.test(host) || has(SUM_IN_ROUBLES)))
  );
}

export function readSbpLink(text: string): Reading {
  if (!looksLikeSbp(text)) return null;
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
