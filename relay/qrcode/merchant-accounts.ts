/**
 * The accounts in a code of EMVCo's form. The fields 02 to 51 each name one, in the words of a
 * payment system, whose own name stands in the part 00. An account lies two levels deep at most.
 */
import type { Account } from './content.js';
import { readFields, type Field, type FieldsRead } from './fields.js';

type Values = ReadonlyMap<string, string>;
type Parts = readonly Field[];

const FIRST = 2;
const FIRST_SYSTEM = 26;
const LAST = 51;

const PIX = 'br.gov.bcb.pix';
/** The part where a bank keeps a payment: its address is new each time, its host is the bank. */
const PIX_ADDRESS = '25';
/** A bill of PromptPay. A bank sends those of all its shops, told apart by the reference alone. */
const BILL = 'a000000677010112';
const BILL_REFERENCE = '02';
const PAY_NOW = 'sg.paynow';
const FPS = 'hk.com.hkicl';
/** Singapore's number of the printed code, which nobody can pay. */
const SGQR = 'sg.sgqr';
const UPI = 'a000000524';

/**
 * The parts that hold the account of each payment system. Where several are joined, the last alone
 * is the number at a bank, which other banks may have too.
 */
const PARTS: ReadonlyMap<string, readonly string[]> = new Map([
  // Pix: a key, an account in the form's first version, an address
  [PIX, ['01', '21/22/23/24', PIX_ADDRESS]],
  // PromptPay: a phone number, a tax number, a wallet, an account
  ['a000000677010111', ['01', '02', '03', '04']],
  [BILL, ['01']],
  // the same bill for the apps of one bank: the bank, and its shop
  ['a000000677010113', ['01/02']],
  // VietQR: a list of the bank's number and the account's
  ['a000000727', ['01.00/01']],
  [PAY_NOW, ['02']],
  // QRIS: the number at a bank, and the national one
  ['id.co.qris.www', ['01', '02']],
  // DuitNow: the bank, and its merchant
  ['a0000006150001', ['01/02']],
  // FPS of Hong Kong: an identifier, a phone number, an e-mail address
  [FPS, ['02', '03', '04']],
  [UPI, ['01']],
  [SGQR, []],
]);
/** KHQR names an account where others name the system. Banks have one for all merchants. */
const KHQR_PARTS = ['00/01'];

/** Whether a field names an account. */
export const isAccount = (id: string): boolean => Number(id) >= FIRST && Number(id) <= LAST;

/** A system that is not listed gives the whole field, as it stands in the code. */
export const accountsOf = (code: Values): Account[] =>
  [...code].flatMap(([id, value]): Account[] => {
    if (!isAccount(id)) return [];
    return Number(id) < FIRST_SYSTEM ? [value] : (accountsIn(id, partsOf(value)) ?? [value]);
  });

/**
 * The accounts in fields that a reading passed before it broke off, also inside a field. What it
 * read as a field by chance has no parts.
 */
export const accountsOfSystems = (fields: readonly Field[]): Account[] =>
  fields
    .filter(([id]) => isAccount(id) && Number(id) >= FIRST_SYSTEM)
    .flatMap(([id, value]) =>
      readFields(value).flatMap(
        ({ fields: parts, isWhole }) =>
          accountsIn(id, parts) ?? (isWhole && parts.length > 0 ? [value] : []),
      ),
    );

/** Whether the parts of a known system break off, or one of them stands there twice. */
export const isUnclear = (code: Values): boolean =>
  [...code].some(([id, value]) => {
    const parts = partsOf(value);
    const paths = pathsOf(systemOf(parts));
    if (!isAccount(id) || paths === undefined) return false;
    const lists = paths.map((path) => valueOf(parts, path.split('.').at(-2) ?? '') ?? '');
    return ![value, ...lists].every(isClear);
  });

/** Whether it pays by Pix and by nothing else. */
export const isOfPix = (code: Values): boolean => {
  const accounts = [...code].filter(([id]) => isAccount(id));
  return accounts.length > 0 && accounts.every(([, value]) => isPix(value));
};

/** Whether a bank tells the amount to the customer's app. */
export const isKeptByBank = (code: Values): boolean =>
  partsOfSystem(code, PIX).some((parts) => valueOf(parts, PIX_ADDRESS) !== undefined);

/** The part in which a system lets the customer change the amount, with a 1. */
const EDITABLE = [
  { system: PAY_NOW, part: '03' },
  { system: FPS, part: '06' },
];

/** Whether the customer may change the amount. */
export const isEditable = (code: Values): boolean =>
  EDITABLE.some(({ part, system }) =>
    partsOfSystem(code, system).some((parts) => valueOf(parts, part) === '1'),
  );

/** The lowest amounts that the customer may choose. */
export const minimumsIn = (code: Values): string[] =>
  partsOfSystem(code, UPI).flatMap((parts) => (isUpiAccount(parts) && valueOf(parts, '02')) || []);

/** The field of the same name for the order's reference. */
const UPI_REFERENCE = '27';
const isUpiAccount = (parts: Parts): boolean => valueOf(parts, '01')?.includes('@') === true;

const partsOfSystem = (code: Values, system: string): Parts[] =>
  [...code].flatMap(([id, value]) => {
    const parts = partsOf(value);
    return isAccount(id) && systemOf(parts) === system ? [parts] : [];
  });

/**
 * Whether a system stands in a field beside the accounts. Pix Automático has an address there, by
 * which the customer allows further payments.
 */
export const allowsMore = (code: Values): boolean =>
  [...code].some(([id, value]) => !isAccount(id) && isPix(value));

const isPix = (value: string): boolean => systemOf(partsOf(value)) === PIX;

/** @returns null where the system is not known, or no account is found */
function accountsIn(id: string, parts: Parts): Account[] | null {
  const system = systemOf(parts);
  if (system === SGQR) return [];
  if (system === UPI && id === UPI_REFERENCE && !isUpiAccount(parts)) return [];
  const found = (pathsOf(system) ?? []).flatMap((path) => {
    const [ids = '', list] = path.split('.').reverse();
    const account = joined(list === undefined ? parts : partsOf(valueOf(parts, list) ?? ''), ids);
    return ids === PIX_ADDRESS ? account.map(hostOf) : account;
  });
  if (found.length === 0) return null;
  const tag = system === BILL ? valueOf(parts, BILL_REFERENCE) : undefined;
  return tag === undefined ? found : found.map((shared) => ({ shared, tag }));
}

/** @returns undefined for a system that is not known */
function pathsOf(system: string): readonly string[] | undefined {
  if (system.includes('@')) return KHQR_PARTS;
  // the banks of QRIS each have a system of their own beside the common one
  return PARTS.get(system) ?? (/^id\.co\.\w+\.www$/.test(system) ? ['01'] : undefined);
}

const systemOf = (parts: Parts): string => valueOf(parts, '00')?.toLowerCase() ?? '';

const valueOf = (parts: Parts, id: string): string | undefined =>
  parts.find(([own]) => own === id)?.[1];

/** A part that stands there twice is joined too, so that the account is on no list. */
const joined = (parts: Parts, ids: string): string[] => {
  const text = ids
    .split('/')
    .flatMap((id) => parts.flatMap(([own, value]) => (own === id && value) || []))
    .join('/');
  return text === '' ? [] : [text];
};

/** Pix has the address without its scheme; some banks write it. */
const hostOf = (address: string): string =>
  address.replace(/^https?:\/\//i, '').split('/')[0] ?? '';

const isClearReading = ({ fields, isWhole }: FieldsRead): boolean =>
  isWhole && new Map(fields).size === fields.length;
const isClear = (value: string): boolean => readFields(value).some(isClearReading);

/** The parts of a field, as far as they can be read. */
function partsOf(value: string): Parts {
  const readings = readFields(value);
  return (readings.find(isClearReading) ?? readings[0])?.fields ?? [];
}
