/** What a person is told about payments that are to be paid back. */
import { compareDecimals, isDecimal } from './decimal.js';

export const NOT_LEARNED =
  'The relay does not learn what you pay back: keep a record of your own. It names a payment as ' +
  'long as the service calls it paid.';

type Named = {
  readonly amount: string;
  readonly currency: string;
  readonly echoed_amount: string | null;
  readonly echoed_currency: string | null;
};

/**
 * What the order service named in place of the order's amount and currency.
 *
 * @returns null when it named what the order charges, or nothing
 */
export function namedOtherwise(order: Named): { amount: string; currency: string } | null {
  const { amount, currency, echoed_amount, echoed_currency } = order;
  const named = { amount: echoed_amount ?? amount, currency: echoed_currency ?? currency };
  const areDecimals = isDecimal(named.amount) && isDecimal(amount);
  const isSame = areDecimals
    ? compareDecimals(named.amount, amount) === 0
    : named.amount === amount;
  return isSame && named.currency === currency ? null : named;
}
