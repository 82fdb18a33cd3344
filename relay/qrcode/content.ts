/** What a code or a payment link says: the same few facts for each form. */
import { isAmount, plainDecimal } from '../contract/decimal.js';

export type Content = {
  /** The payee's name as it stands there; null when there is none. */
  readonly payee: string | null;
  /** Each account that the customer's app may pay. */
  readonly accounts: readonly Account[];
  /** A decimal above zero; null when there is no amount that the relay can read. */
  readonly amount: string | null;
  /** The customer types the amount. It is false where the amount is kept elsewhere. */
  readonly isTyped: boolean;
  /** The customer's app may charge another amount than the one that stands there. */
  readonly mayDiffer?: boolean;
  /** In capitals; null when the form does not name it, as with a token's contract. */
  readonly currency: string | null;
  /** Where an asset is paid: the number of a network of Ethereum's kind, or the name of another. */
  readonly network?: string;
  /** What a token's transfer pays with. */
  readonly token?: PaidToken;
};

/**
 * In the form's own words. A tag tells the payees of a shared account apart. An `exact` account has
 * no checksum, and its letters mean something else in the other case.
 */
export type Account =
  string | { readonly exact: string } | { readonly shared: string; readonly tag: string };

export type PaidToken = {
  /** As the configuration names it: `0x…@CHAIN`, or a mint of Solana. */
  readonly contract: string;
  /** The amount in the token's smallest units; null when the form states it in whole tokens. */
  readonly units: string | null;
};

/** null: another form. `broken`: this form, but a customer's app may read it in another way. */
export type Reading = Content | 'broken' | null;

export type Reader = (text: string) => Reading;

/**
 * Zeros before an amount are allowed, as in EMVCo's form.
 *
 * @returns the amount in its one spelling; null when the text is none
 */
export function plainAmount(text: string): string | null {
  if (!/^\d+(\.\d+)?$/.test(text)) return null;
  const plain = text.replace(/^0+(?=\d)/, '');
  return isAmount(plain) ? plainDecimal(plain) : null;
}

/**
 * Reads the amount that a code states.
 *
 * @returns null when it states none; `broken` for a text that is no amount
 */
export function statedAmount(text: string | undefined): string | 'broken' | null {
  return text === undefined ? null : (plainAmount(text) ?? 'broken');
}

export const MAX_UINT32 = 0xffffffffn;
export const MAX_UINT64 = 0xffffffffffffffffn;

/** Whether a text is a whole number in its one spelling, as a tag of XRP must be. */
export const isUint = (text: string, max: bigint): boolean =>
  /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) <= max;

/** Moves the point of a whole number to the left: 1250 with 2 places is 12.5. */
export function shiftedAmount(digits: string, places: number): string | null {
  const padded = digits.padStart(places + 1, '0');
  const at = padded.length - places;
  return plainAmount(places === 0 ? padded : `${padded.slice(0, at)}.${padded.slice(at)}`);
}

/** The lines of a code of lines; null when apps could divide it in different ways. */
export function linesOf(text: string): string[] | null {
  // an app divides at the first end that it finds, and keeps another one inside a line
  const lines = text.split(text.includes('\r\n') ? '\r\n' : '\n');
  return lines.some((line) => /[\r\n\v\f\u0085\u2028\u2029]/.test(line)) ? null : lines;
}

/**
 * Reads an account number of ISO 13616, whose digits 3 and 4 are a checksum.
 *
 * @returns the number without spaces; null when it is none, or its checksum is wrong
 */
export function readIban(text: string): string | null {
  const iban = text.replaceAll(' ', '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return null;
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(Number.parseInt(sign, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1 ? iban : null;
}
