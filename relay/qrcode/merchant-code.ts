/**
 * Checks a QR code in EMVCo's merchant-presented form against what its order charges. The banks of
 * many countries use this form: Pix, QRIS, PromptPay, VietQR, SGQR, KHQR.
 *
 * It cannot detect another account under a right checksum: nothing in a code proves who owns the
 * account.
 */
import { compareDecimals, isDecimal } from '../contract/decimal.js';
import { isPageText } from '../contract/visible-text.js';
import { crc16 } from './crc16.js';
import { currencyNumber } from './currency-number.js';
import { readFields, type Field, type Reading } from './fields.js';

/** What the order charges. */
export type Charge = {
  amount: string;
  currency: string;
  /** The currency that the customer pays in; where it differs, the code's amount is not known. */
  payCurrency: string;
};

/**
 * `unknown`: of another form, so nothing was checked.
 *
 * `right`: the code may be shown. `payee`: the payee's name in the code; null when the code has no
 * legible name.
 *
 * `wrong`: the code is broken, or it charges something else.
 */
export type CheckedCode =
  | { readonly verdict: 'unknown' | 'wrong' }
  | { readonly verdict: 'right'; readonly payee: string | null };

/** The field 00, with which every code of the form begins: the version of the form, now 01. */
const START = /^0002\d\d/;
const CURRENCY = '53';
const AMOUNT = '54';
/** The fields of a tip that the customer is asked for, or that is added. */
const TIPS = ['55', '56', '57'];
const PAYEE = '59';
const CHECKSUM = '63';

/** Characters that a banking app may ignore; they must not hide the form from this check. */
const AROUND = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu;

export function checkCode(text: string, charge: Charge): CheckedCode {
  const code = text.replace(AROUND, '');
  if (!START.test(code)) return { verdict: 'unknown' };
  const readings = readFields(code);
  const whole = readings.flatMap(({ fields, isWhole }) =>
    isWhole && isWellFormed(fields) ? [byId(fields)] : [],
  );
  const isRight =
    hasRightChecksum(code) &&
    whole.length > 0 &&
    whole.every((values) => charges(values, charge)) &&
    chargeTheSame(readings);
  return isRight ? { verdict: 'right', payee: payeeOf(whole) } : { verdict: 'wrong' };
}

/**
 * Whether all readings charge the same. A banking app may take any of them, also one that breaks
 * off after its amount.
 */
function chargeTheSame(readings: readonly Reading[]): boolean {
  const charged = readings.map(({ fields }) => JSON.stringify(chargeOf(fields)).slice(0, -1));
  const all = charged[readings.findIndex(({ isWhole }) => isWhole)] ?? '';
  return readings.every(({ isWhole }, at) => {
    const own = charged[at] ?? '';
    return isWhole ? own === all : all.startsWith(own);
  });
}

const chargeOf = (fields: readonly Field[]): Field[] =>
  fields.filter(([id]) => id === CURRENCY || id === AMOUNT || TIPS.includes(id));

type Values = ReadonlyMap<string, string>;

const byId = (fields: readonly Field[]): Values => new Map(fields);

/** A banking app may take either of two fields with one id, so each id may occur only once. */
function isWellFormed(fields: readonly Field[]): boolean {
  const [lastId, lastValue] = fields.at(-1) ?? [];
  const values = byId(fields);
  return (
    lastId === CHECKSUM &&
    lastValue?.length === 4 &&
    values.has(CURRENCY) &&
    values.size === fields.length
  );
}

/** The checksum covers everything before it, with its own id and length. */
function hasRightChecksum(code: string): boolean {
  const covered = new TextEncoder().encode(code.slice(0, -4));
  const digits = crc16(covered, 0xffff).toString(16).padStart(4, '0');
  return code.slice(-4).toLowerCase() === digits;
}

function charges(values: Values, { amount, currency, payCurrency }: Charge): boolean {
  if (TIPS.some((id) => values.has(id))) return false;
  const expected = currencyNumber(payCurrency);
  if (expected === undefined) return true;
  if (values.get(CURRENCY) !== expected) return false;
  const charged = values.get(AMOUNT);
  const isOwnCurrency = payCurrency.toUpperCase() === currency.toUpperCase();
  return charged === undefined || !isOwnCurrency || isSameAmount(charged, amount);
}

/** EMVCo allows zeros before the amount, and a point without digits after it. */
function isSameAmount(charged: string, amount: string): boolean {
  if (!/^\d+(\.\d*)?$/.test(charged)) return false;
  const plain = charged.replace(/^0+(?=\d)/, '').replace(/\.$/, '');
  return isDecimal(plain) && compareDecimals(plain, amount) === 0;
}

/**
 * The payee's name, of at most 99 characters by the form. One with invisible or bidirectional
 * characters is withheld: it would look like another name.
 */
function payeeOf(readings: readonly Values[]): string | null {
  const [name, another] = new Set(readings.map((values) => values.get(PAYEE) ?? ''));
  if (name === undefined || another !== undefined) return null;
  const shown = name.trim();
  if (shown === '' || /[\n\t]/.test(shown) || !isPageText(shown)) return null;
  return shown;
}
