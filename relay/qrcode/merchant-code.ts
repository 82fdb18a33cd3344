/**
 * Reads a QR code in EMVCo's merchant-presented form. The banks of many countries use this form:
 * Pix, QRIS, PromptPay, VietQR, DuitNow, PayNow, KHQR.
 */
import { plainAmount, type Account, type Reading } from './content.js';
import { hasRightChecksum } from './crc16.js';
import { currencyOfNumber } from './currency-number.js';
import { readFields, type Field, type FieldsRead } from './fields.js';
import {
  accountsOf,
  accountsOfSystems,
  allowsMore,
  isAccount,
  isEditable,
  isKeptByBank,
  isOfPix,
  isUnclear,
  minimumsIn,
} from './merchant-accounts.js';

/** The field 00, with which every code of the form begins: the version of the form, now 01. */
const START = /^0002\d\d/;
const USE = '01';
const FOR_ONE_PAYMENT = '12';
const CURRENCY = '53';
const AMOUNT = '54';
/** Banks write it for no amount into a code of Pix; of another system it charges nothing. */
const ZERO = /^0+(\.0*)?$/;
/** The fields of a tip that the customer is asked for, or that is added. */
const TIPS = ['55', '56', '57'];
const PAYEE = '59';
const NO_NAME = /^(NA|N\/A)?$/i;
const CHECKSUM = '63';

export function readMerchantCode(code: string): Reading {
  if (!START.test(code)) return null;
  const readings = readFields(code);
  const fields = readings.find((each) => each.isWhole && isWellFormed(each.fields))?.fields;
  if (!fields || !hasRightChecksum(code) || !decideTheSame(readings, fields)) return 'broken';
  const first = byId(fields);
  if (isUnclear(first) || TIPS.some((id) => first.has(id))) return 'broken';
  if (readings.some((each) => allowsMore(byId(each.fields)))) return 'broken';
  const given = first.get(AMOUNT);
  const amount = amountIn(given ?? '');
  const isOpen = given === undefined || (ZERO.test(given) && isOfPix(first));
  if (amount === null && !isOpen) return 'broken';
  // a lower minimum lets the customer change the amount
  const minimums = minimumsIn(first).filter((each) => !ZERO.test(each));
  if (amount !== null && minimums.some((each) => amountIn(each) !== amount)) return 'broken';
  const number = first.get(CURRENCY) ?? '';
  const payee = first.get(PAYEE)?.trim() ?? '';
  const isKept = isKeptByBank(first);
  // a code for one payment that has no field for the amount leads to a bank that keeps it
  const isElsewhere = isKept || (given === undefined && first.get(USE) === FOR_ONE_PAYMENT);
  return {
    payee: NO_NAME.test(payee) ? null : payee,
    accounts: accountsOf(first),
    amount,
    isTyped: amount === null && !isElsewhere,
    mayDiffer: isKept || isEditable(first),
    currency: currencyOfNumber(number) ?? number,
  };
}

/** EMVCo allows a point without digits before or after it. */
const amountIn = (text: string): string | null =>
  plainAmount(text.replace(/^(\d+)\.$/, '$1').replace(/^\.\d/, '0$&'));

/**
 * Whether all readings name one charge and the same accounts, and those that are well formed one
 * payee. A banking app may take any of them, also one that breaks off after its account.
 */
function decideTheSame(readings: readonly FieldsRead[], fields: readonly Field[]): boolean {
  const charge = fields.filter(isCharge);
  const accounts = new Set(accountsOf(byId(fields)).map(textOf));
  return readings.every(({ fields: own, isWhole }) => {
    if (isWhole && isWellFormed(own))
      return textOf(own.filter(isDeciding)) === textOf(fields.filter(isDeciding));
    const ownCharge = own.filter(isCharge);
    return (
      (!isWhole || ownCharge.length === charge.length) &&
      ownCharge.every((field, at) => isSame(field, charge[at])) &&
      accountsOfSystems(own).every((account) => accounts.has(textOf(account)))
    );
  });
}

const isCharge = ([id]: Field): boolean => id === CURRENCY || id === AMOUNT || TIPS.includes(id);
const isDeciding = (field: Field): boolean =>
  isCharge(field) || isAccount(field[0]) || field[0] === PAYEE;

const isSame = (field: Field, other: Field | undefined): boolean =>
  other !== undefined && textOf(field) === textOf(other);

const textOf = (read: Account | Field | readonly Field[]): string => JSON.stringify(read);

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
