/**
 * Reads a QR code in EMVCo's merchant-presented form. The banks of many countries use this form:
 * Pix, QRIS, PromptPay, VietQR, DuitNow, PayNow, KHQR.
 */
import type { Content, Reading } from './content.js';
import { plainAmount } from './content.js';
import { crc16 } from './crc16.js';
import { currencyOfNumber } from './currency-number.js';
import { readFields, type Field, type FieldsRead } from './fields.js';
import { accountsOf, isKeptByBank } from './merchant-accounts.js';

/** The field 00, with which every code of the form begins: the version of the form, now 01. */
const START = /^0002\d\d/;
const USE = '01';
const CURRENCY = '53';
const AMOUNT = '54';
/** The fields of a tip that the customer is asked for, or that is added. */
const TIPS = ['55', '56', '57'];
const PAYEE = '59';
const CHECKSUM = '63';
/** The use of a code that is made for one payment. */
const ONCE = '12';

export function readMerchantCode(code: string): Reading {
  if (!START.test(code)) return null;
  const readings = readFields(code);
  const [first, ...more] = readings.flatMap(({ fields, isWhole }) =>
    isWhole && isWellFormed(fields) ? [byId(fields)] : [],
  );
  if (!first || !hasRightChecksum(code) || !chargeTheSame(readings)) return 'broken';
  if (TIPS.some((id) => first.has(id))) return 'broken';
  const given = first.get(AMOUNT);
  // EMVCo allows a point without digits after it
  const amount = given === undefined ? null : plainAmount(given.replace(/^(\d+)\.$/, '$1'));
  if (given !== undefined && amount === null) return 'broken';
  const number = first.get(CURRENCY) ?? '';
  return {
    payee: sameIn([first, ...more], (values) => values.get(PAYEE)?.trim() ?? ''),
    accounts: accountsOf(first),
    amount,
    isTyped: amount === null && first.get(USE) !== ONCE && !isKeptByBank(first),
    currency: currencyOfNumber(number) ?? number,
  };
}

/** What all readings say. Where they differ, the text matches no name and is not shown. */
function sameIn(readings: readonly Values[], of: (values: Values) => string): Content['payee'] {
  const all = [...new Set(readings.map(of))].join('\n');
  return all === '' ? null : all;
}

/**
 * Whether all readings charge the same. A banking app may take any of them, also one that breaks
 * off after its amount.
 */
function chargeTheSame(readings: readonly FieldsRead[]): boolean {
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
