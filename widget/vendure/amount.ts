/** Amounts of Vendure as decimal text. Nothing here needs Vendure to run. */

/** @returns the decimal places of a currency; `precision` for a code that Intl does not know */
function placesOf(currency: string, precision: number): number {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency });
    return format.resolvedOptions().maximumFractionDigits ?? precision;
  } catch {
    return precision;
  }
}

/**
 * @param amount an integer, as Vendure keeps every amount
 * @param precision how many of its digits are decimal places, in every currency
 * @returns the amount, rounded to the places of its currency: 1990 JPY of Vendure are 20 yen
 */
export function amountOf(amount: number, precision: number, currency: string): string {
  const places = Math.min(precision, placesOf(currency, precision));
  const rounded = Math.round(amount / 10 ** (precision - places));
  const digits = String(rounded).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}
