/** Makes a merchant-presented QR code of EMVCo's form; its account belongs to nobody. */
import { crc16 } from '../qrcode/crc16.js';
import { currencyNumber } from '../qrcode/currency-number.js';

type Fields = Readonly<Record<string, string>>;
type Entry = readonly [id: string, value: string];

/** The ids of EMVCo's fields. */
const ID = {
  formatVersion: '00',
  useCount: '01',
  account: '26',
  merchantCategory: '52',
  currency: '53',
  amount: '54',
  country: '58',
  merchantName: '59',
  merchantCity: '60',
  additionalData: '62',
} as const;
/** The field of the additional data that holds the order's number. */
const REFERENCE_ID = '05';
/** The checksum covers its own id and length, which are 63 and 04. */
const CHECKSUM_HEAD = '6304';

const FOR_MANY_PAYMENTS = '11';
const FOR_ONE_PAYMENT = '12';
/** A category of ISO 18245. */
const RESTAURANT = '5812';
/** One of the codes that ISO 3166 leaves to its users, so it names no country. */
const NO_COUNTRY = 'XX';

/** The bounds of EMVCo's specification, in characters. */
const MAX_NAME_CHARACTERS = 25;
const MAX_AMOUNT_CHARACTERS = 13;
/** ISO 4217's number for "no currency", here also for a crypto asset, which has no number. */
const NO_CURRENCY = '999';

/** Writes fields; the length after the id counts characters, not bytes. */
const written = (entries: readonly Entry[]): string =>
  entries
    .map(([id, value]) => id + String(Array.from(value).length).padStart(2, '0') + value)
    .join('');

/** The merchant's name as it fits into the code: in capitals, and cut. */
const payeeName = (name: string): string =>
  Array.from(name.toUpperCase()).slice(0, MAX_NAME_CHARACTERS).join('').trim();

/** @param fields of the pay request */
export function merchantPresentedCode(
  { amount = '', currency = '', pay_currency = currency }: Fields,
  orderNo: string,
  merchantName: string,
): string {
  // The sandbox has no exchange rates, so it keeps the amount in another currency, as a bank does.
  // The customer types an amount that is too long for the field.
  const isKept = pay_currency !== currency;
  const hasAmount = !isKept && amount.length <= MAX_AMOUNT_CHARACTERS;
  const account = written([
    ['00', 'sandbox.example'],
    ['01', orderNo],
  ]);
  const additionalData = written([[REFERENCE_ID, orderNo]]);
  const text =
    written([
      [ID.formatVersion, '01'],
      [ID.useCount, hasAmount || isKept ? FOR_ONE_PAYMENT : FOR_MANY_PAYMENTS],
      [ID.account, account],
      [ID.merchantCategory, RESTAURANT],
      [ID.currency, currencyNumber(pay_currency) ?? NO_CURRENCY],
      ...(hasAmount ? [[ID.amount, amount] as const] : []),
      [ID.country, NO_COUNTRY],
      [ID.merchantName, payeeName(merchantName)],
      [ID.merchantCity, 'SANDBOX'],
      [ID.additionalData, additionalData],
    ]) + CHECKSUM_HEAD;
  const checksum = crc16(new TextEncoder().encode(text), 0xffff);
  return text + checksum.toString(16).toUpperCase().padStart(4, '0');
}
