/**
 * Exact arithmetic on decimal strings; an amount is never a `number`.
 *
 * Grammar: digits without a leading zero, at most 18, then optionally a point and 1 to 18 digits.
 * No sign, exponent or grouping. This is our own code, because libraries such as big.js also read
 * exponents, and shorten 12.50 to 12.5.
 */
const DECIMAL = /^(0|[1-9]\d{0,17})(\.\d{1,18})?$/;

export const isDecimal = (text: string): boolean => DECIMAL.test(text);

/** An amount to be paid: a decimal above zero. */
export const isAmount = (text: string): boolean => isDecimal(text) && /[1-9]/.test(text);

/** For a refinement: the error for a text that `isAmount` refuses. */
export const asAmount = {
  error: 'a decimal string above zero such as "12.50", with at most 18 digits on each side',
};

/**
 * Compares two decimals; 12.5 equals 12.50.
 *
 * @returns -1, 0 or 1
 */
export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  const [a, b] = toSameScale(left, right);
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Removes trailing zeros, so that equal decimals have one spelling: 12.50 becomes 12.5. */
export const plainDecimal = (text: string): string =>
  text.includes('.') ? text.replace(/\.?0+$/, '') : text;

/** The exact sum, with as many decimal places as the longer of the two. */
export function addDecimals(left: string, right: string): string {
  const [a, b] = toSameScale(left, right);
  return fromUnits(a + b, Math.max(decimalPlaces(left), decimalPlaces(right)));
}

/** The exact difference `left - right`; below zero it begins with a minus. */
export function subtractDecimals(left: string, right: string): string {
  const [a, b] = toSameScale(left, right);
  const places = Math.max(decimalPlaces(left), decimalPlaces(right));
  return a < b ? `-${fromUnits(b - a, places)}` : fromUnits(a - b, places);
}

/**
 * Keeps the number of decimal places of `amount`.
 *
 * @param times a whole number above zero
 */
export function multiplyDecimal(amount: string, times: number): string {
  const places = decimalPlaces(amount);
  return fromUnits(toUnits(amount, places) * BigInt(times), places);
}

/** The amounts of orders added up by their currency. */
export function sumsByCurrency(
  orders: readonly { readonly amount: string; readonly currency: string }[],
): Record<string, string> {
  const sums: Record<string, string> = {};
  for (const { amount, currency } of orders)
    sums[currency] = addDecimals(sums[currency] ?? '0', amount);
  return sums;
}

function toSameScale(left: string, right: string): [bigint, bigint] {
  const places = Math.max(decimalPlaces(left), decimalPlaces(right));
  return [toUnits(left, places), toUnits(right, places)];
}

const decimalPlaces = (text: string): number => text.split('.')[1]?.length ?? 0;

function toUnits(text: string, places: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}

function fromUnits(units: bigint, places: number): string {
  const digits = units.toString().padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
