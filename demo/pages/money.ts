/** Formats and adds decimal strings without converting them to floating-point numbers. */
import { addDecimals } from '../../relay/contract/decimal.js';
import { moneyText } from '../../relay/contract/money-text.js';

export const money = (amount: string, currency: string): string =>
  moneyText(amount, currency, 'en');

export const total = (amounts: readonly string[]): string => amounts.reduce(addDecimals, '0.00');
