/** An amount as the customer reads it: exact, from the string, with the currency's own digits. */

/**
 * Engines take a decimal string without rounding it; the library's types ask for a template of one.
 */
type Numeric = `${number}`;

export function formatMoney(amount: string, currency: string, locale: string): string {
  try {
    return new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      maximumFractionDigits: 18,
    }).format(amount as Numeric);
  } catch {
    // not an ISO 4217 code: a crypto asset, whose digits are the amount's own
    const digits = amount.split('.')[1]?.length ?? 0;
    const number = new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: Math.max(digits, 18),
    });
    return `${number.format(amount as Numeric)}\u00a0${currency}`;
  }
}
