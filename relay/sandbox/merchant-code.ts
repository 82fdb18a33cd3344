/** A bank's QR code in EMVCo's form, as it looks in real life; its account belongs to nobody. */
import { crc16 } from '../qrcode/crc16.js';
import { currencyNumber } from '../qrcode/currency-number.js';

type Fields = Readonly<Record<string, string>>;
type Entry = readonly [id: string, value: string];

/** The bounds of the form, in characters. */
const MAX_NAME_CHARACTERS = 25;
const MAX_AMOUNT_CHARACTERS = 13;
/** Of a currency without a number: none is involved. */
const NO_CURRENCY = '999';

/** Lengths count characters. */
const written = (entries: readonly Entry[]): string =>
  entries
    .map(([id, value]) => id + String(Array.from(value).length).padStart(2, '0') + value)
    .join('');

const inCapitals = (name: string): string =>
  Array.from(name.toUpperCase()).slice(0, MAX_NAME_CHARACTERS).join('').trim();

/** @param fields of the pay request */
export function merchantCode(
  { amount = '', currency = '', pay_currency = currency }: Fields,
  orderNo: string,
  merchantName: string,
): string {
  // the sandbox has no rates, so that the customer types an amount in another currency
  const hasAmount = pay_currency === currency && amount.length <= MAX_AMOUNT_CHARACTERS;
  const text =
    written([
      ['00', '01'],
      ['01', hasAmount ? '12' : '11'],
      [
        '26',
        written([
          ['00', 'sandbox.example'],
          ['01', orderNo],
        ]),
      ],
      ['52', '5812'],
      ['53', currencyNumber(pay_currency) ?? NO_CURRENCY],
      ...(hasAmount ? [['54', amount] as const] : []),
      // of user-assigned codes, so that no country is meant
      ['58', 'XX'],
      ['59', inCapitals(merchantName)],
      ['60', 'SANDBOX'],
      ['62', written([['05', orderNo]])],
    ]) + '6304';
  const checksum = crc16(new TextEncoder().encode(text), 0xffff);
  return text + checksum.toString(16).toUpperCase().padStart(4, '0');
}
