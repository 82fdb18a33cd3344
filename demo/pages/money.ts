/** Formats and adds decimal strings without converting them to floating-point numbers. */
import { addDecimals } from '../../relay/contract/decimal.js';

type Numeric = `${number}`;

export const money = (amount: string, currency: string): string =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).format(amount as Numeric);

export const total = (amounts: readonly string[]): string => amounts.reduce(addDecimals, '0.00');
